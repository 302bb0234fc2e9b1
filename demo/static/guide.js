// The guide: which one thing a visitor does next at a table, and in which words.

/** What to press next (a control's name, or nothing while the table works) and why. */
export function nextStep(f, broken) {
  const broke = (...kinds) => broken.find((fault) => kinds.some((kind) => fault.name.startsWith(kind)))?.name;
  if (f.dead) return [broke("power"), "The power is off. Switch it on again (mend it): the table stands where it stood."];
  const s = f.state, open = s.payments.find((line) => line.is_open);
  const wagers = s.seats.filter((one) => one.wager).map((one) => one.seat);
  if (s.faults["return device"]) {
    const hopper = broke("jam", "wire");
    return hopper ? [hopper, "The hopper cannot count, so the table waits. Mend it."] : ["retest return device", "Test the hopper again: the count goes on where it stood."];
  }
  if (s.phase === "closed") return ["open", "The table is closed: a supervisor opens it."];
  if (s.count.agree === false) return ["explain", "Chips and lights differ: count again, or a supervisor explains it."];
  if (Object.keys(s.refunds_due).length) return ["refund", "The round is void: give the wagers back."];
  if (open && mustValidate(open) && !s.key_on) return ["key", `The supervisor turns the key to validate seat ${open.seat}.`];
  if (f.held && !f.contested) return [null, s.next_step];
  if (f.contested) return [null, "Two tables claim the same meter: nobody is paid before management has said who comes first. Open the floor (link above) and enter the order: Sue decides, Ann confirms."];
  const winners = claimable(f, wagers), unclaimed = f.look_first ? winners[0] : winners.find((seat) => !open || s.asks.includes(seat));
  if (s.asks.length && !unclaimed) return ["no-win", `${seatWords(s.asks)} would be paid before: the dealer looks at the hands, then the meter is asked.`];
  if (f.look_first && !unclaimed) return ["all-shown", "The whole meter is won: look at every hand first, another one may share it."];
  if (open && !unclaimed) return [payOrder(open), payWords(open)];
  if (unclaimed) return [`claim-${unclaimed}`, `Seat ${unclaimed} has won. The dealer claims it: the evaluator names hand and pay.`];
  const lying = s.claims.find((claim) => claim.state === "paid" && claim.source === "cage" && !claim.papers_by);
  if (lying) return [`papers-${lying.seat}`, `Papers of seat ${lying.seat}: its cards lie until the papers of the payment are complete.`];
  const cut = broke("network", "broker", "meter");
  if (!s.link.up && s.phase === "open") return cut ? [cut, "No meter, no new wagers. Mend it."] : [null, "Looking for the meter…"];
  const dark = s.phase === "open" && !broke("beam") && Object.keys(s.faults)[0];
  if (dark) return [`retest ${dark}`, `Test ${dark} again: it comes back when its cause is gone.`];
  if (s.phase === "open") return wagers.length ? ["lock", "Press lock-out: gates shut, the hopper counts the chips, the meter moves."] : ["seats", "Click a seat: a player drops a $1 chip, and the light goes steady."];
  if (["locked", "counting"].includes(s.phase)) return [null, "The hopper returns and counts the chips…"];
  if (["counted", "in play"].includes(s.phase) && !f.dealt && wagers.length) return ["deal", "Deal: choose a hand and who gets it, or random cards."];
  return ["end", f.dealt && s.phase !== "settling" ? "Nobody with a lit light has won: end the round." : "Everything is paid: end the round."];
}

/** The seats that hold a paid hand under a lit light and have not claimed. */
export function claimable(f, wagers) {
  const claimed = new Set(f.state.claims.filter((claim) => claim.state !== "rejected").map((claim) => claim.seat));
  return Object.keys(f.dealt?.wins ?? {}).map(Number).filter((seat) => wagers.includes(seat) && !claimed.has(seat));
}

/** Fixed, or sharing the meter with one that is. */
export const mustValidate = (line) => (line.state === "waiting for the supervisor" || line.state.startsWith("sharing")) && !line.validated_by && !line.is_held;

const seatWords = (seats) => `Seat${seats.length > 1 ? "s" : ""} ${seats.join(", ")}`;

function payOrder(line) {
  if (line.wager === "envy") return `envy-${line.seat}`;
  if (mustValidate(line)) return `validate-${line.seat}`;
  return line.state === "to be paid" && !line.is_held ? `pay-${line.seat}` : null;
}

function payWords(line) {
  if (line.wager === "envy") return `Seat ${line.seat} is owed an envy bonus of ${line.amount}: pay it from the rack.`;
  if (mustValidate(line)) return `The supervisor validates seat ${line.seat}: ${line.hand}, ${line.amount}.`;
  if (line.state !== "to be paid" || line.is_held) return `Seat ${line.seat}: ${line.hand}, ${line.state_words}…`;
  return `Pay seat ${line.seat} ${line.amount} from the ${line.source}, then confirm it.`;
}

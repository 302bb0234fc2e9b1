// Sounds for what was refused, for chips and lights that differ, and for a win; off until somebody turns them on.
const TUNES = { // pairs of pitch in hertz and length in seconds
  refused: [[220, 0.12], [0, 0.06], [220, 0.18]],
  mismatch: [[330, 0.15], [0, 0.08], [330, 0.15], [0, 0.08], [330, 0.3]],
  win: [[523, 0.12], [659, 0.12], [784, 0.3]],
};
const KEY = "sounds";
const LOUDNESS = 0.2;
let context = null;

export const soundsAreOn = () => localStorage.getItem(KEY) === "on";

/** Turns them on or off for this screen; on, the win is heard once. */
export function turnSounds(on) {
  localStorage.setItem(KEY, on ? "on" : "off");
  if (on) play("win");
}

export function play(name) {
  if (!soundsAreOn()) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length] of TUNES[name]) {
    if (pitch) tone(pitch, at, length);
    at += length;
  }
}

function tone(pitch, at, length) {
  const source = context.createOscillator(), volume = context.createGain();
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUDNESS, at);
  volume.gain.linearRampToValueAtTime(0, at + length);
  source.connect(volume).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

/** What a new view is heard as, beside the one before it. */
export function heard(before, now) {
  if (!before) return;
  const won = (view) => view.state.payments.filter((line) => line.state !== "rejected").length;
  if (now.state.refused_ms !== before.state.refused_ms && now.state.refusal) play("refused");
  else if (now.state.count.agree === false && before.state.count.agree !== false) play("mismatch");
  else if (won(now) > won(before)) play("win");
}

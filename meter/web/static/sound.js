// Alarms with sound: off until somebody turns it on at this screen, which remembers it.
import { shape } from "/static/shapes.js";
import { say } from "./floor_words.js";

const KEPT = "pitlink-floor-sound";
const AGAIN_MS = 20_000;
const isOn = () => localStorage.getItem(KEPT) === "on";
let context = null, known = null, waited = 0, last = 0;

export function showSound() {
  const button = document.getElementById("sound");
  const show = () => {
    button.replaceChildren(shape(isOn() ? "sound" : "silence"), say(isOn() ? "sound_on" : "sound_off"));
    button.setAttribute("aria-pressed", String(isOn()));
  };
  button.addEventListener("click", () => {
    localStorage.setItem(KEPT, isOn() ? "off" : "on");
    if (isOn()) beep();
    show();
  });
  show();
}

/** Sounds for each new alarm and decision, and again while an alarm stands that nobody has seen. */
export function ring(alarms, waiting) {
  const numbers = new Set(alarms.map((one) => one.number));
  const isNew = known !== null && (waiting > waited || [...numbers].some((number) => !known.has(number)));
  const isDue = alarms.length > 0 && Date.now() - last > AGAIN_MS;
  known = numbers;
  waited = waiting;
  if (isOn() && (isNew || isDue)) beep();
}

function beep() {
  last = Date.now();
  context ??= new AudioContext();
  for (const [at, pitch] of [[0, 740], [0.22, 988]]) {
    const tone = context.createOscillator(), loud = context.createGain();
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.18, context.currentTime + at);
    loud.gain.exponentialRampToValueAtTime(0.001, context.currentTime + at + 0.2);
    tone.connect(loud).connect(context.destination);
    tone.start(context.currentTime + at);
    tone.stop(context.currentTime + at + 0.2);
  }
}

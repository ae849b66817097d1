// @ts-check
// The sound when it is my turn: two soft tones, made here.

/** @type {AudioContext | null} */
let context = null;

/** Two tones, one above the other. */
export function chime() {
  context ??= new AudioContext();
  context.resume();
  const now = context.currentTime;
  tone(context, 587.3, now);
  tone(context, 880, now + 0.13);
}

/** @param {AudioContext} context @param {number} pitch @param {number} start */
function tone(context, pitch, start) {
  const [oscillator, gain] = [context.createOscillator(), context.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(0.16, start + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0008, start + 0.6);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.65);
}

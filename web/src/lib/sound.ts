/** Soft synthesised sounds of stones, wood and water. */

import { settings } from "./settings.svelte";

let audio: AudioContext | null = null;

type Sound = "place" | "turn" | "score" | "your-turn" | "no" | "end";

/** A short tone: pitch, start, duration and volume. */
type Tone = [hz: number, at: number, seconds: number, gain: number];

const TONES: Record<Sound, Tone[]> = {
  place: [
    [196, 0, 0.09, 0.22],
    [392, 0, 0.04, 0.08],
  ],
  turn: [
    [294, 0, 0.05, 0.1],
    [247, 0.06, 0.08, 0.14],
  ],
  score: [
    [392, 0, 0.22, 0.09],
    [494, 0.08, 0.24, 0.09],
    [587, 0.16, 0.34, 0.09],
  ],
  "your-turn": [
    [330, 0, 0.25, 0.09],
    [440, 0.13, 0.4, 0.09],
  ],
  no: [[165, 0, 0.16, 0.12]],
  end: [
    [294, 0, 0.5, 0.08],
    [370, 0.14, 0.5, 0.08],
    [440, 0.28, 0.6, 0.08],
    [587, 0.42, 0.9, 0.08],
  ],
};

export function sound(name: Sound): void {
  if (!settings.sound || typeof AudioContext === "undefined") return;
  // Browsers block audio before the first interaction, and log a warning if a context is created then.
  if (!audio && !navigator.userActivation?.hasBeenActive) return;
  // Draw first: preparing the first sound takes a moment. A hidden page draws no frames.
  if (document.hidden) play(name);
  else requestAnimationFrame(() => setTimeout(() => play(name)));
}

function play(name: Sound): void {
  audio ??= new AudioContext();
  for (const [hz, at, seconds, gain] of TONES[name]) ring(audio, hz, audio.currentTime + at, seconds, gain);
}

function ring(context: AudioContext, hz: number, start: number, seconds: number, gain: number): void {
  const tone = context.createOscillator();
  const level = context.createGain();
  tone.type = "sine";
  tone.frequency.value = hz;
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(gain, start + 0.008);
  level.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  tone.connect(level).connect(context.destination);
  tone.start(start);
  tone.stop(start + seconds);
}

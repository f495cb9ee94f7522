// Sounds of our own, made of a few tones and a breath of noise: a piece that is set down, a card, a fanfare, applause, a bell.
// They are on after the first click (browsers want that), and can be switched off where everybody sees it.

import { $ } from "./page.js";
import { store, stored } from "./settings.js";

// Each sound is a list of strokes: what, when, at which pitch, how long, how loud.
const SOUNDS = {
  beat: [["wood", 0, 210, 0.07, 0.5]],
  part: [["card", 0, 2400, 0.09, 0.25]],
  moment: [["tone", 0, 196, 0.9, 0.1], ["tone", 0.06, 293.7, 0.9, 0.09], ["tone", 0.12, 392, 1.1, 0.09], ["tone", 0.18, 493.9, 1.2, 0.07]],
  end: [["tone", 0, 261.6, 0.35, 0.11], ["tone", 0.18, 329.6, 0.35, 0.11], ["tone", 0.36, 392, 0.4, 0.11], ["tone", 0.54, 523.3, 1.4, 0.13], ["tone", 0.56, 659.3, 1.4, 0.08],
    ...Array.from({ length: 40 }, (_, at) => ["card", 0.9 + at * 0.045 + (at % 3) * 0.013, 1500 + 130 * (at % 7), 0.05, 0.1])],
  turn: [["tone", 0, 659.3, 0.5, 0.13], ["tone", 0.13, 880, 0.5, 0.13], ["tone", 0.26, 1318.5, 0.5, 0.1]],
};

// Sounds for the beats and moments of a table, and the switch; `play` plays one of them.
export function initSound() {
  const isOn = () => stored("sound") !== "off";
  let audio = null; // until somebody has touched the page
  let noise = null;

  function wake() {
    if (!window.AudioContext || !isOn()) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  }
  document.addEventListener("pointerdown", wake);
  document.addEventListener("keydown", wake);

  // Play a sound, and tell whoever listens to the page of it.
  function play(name) {
    document.dispatchEvent(new CustomEvent("sound", { detail: { name, isOn: isOn() } }));
    if (!isOn() || !audio || audio.state !== "running") return;
    for (const stroke of SOUNDS[name]) strike(...stroke);
  }

  function strike(kind, after, pitch, long, loud) {
    const start = audio.currentTime + after;
    const volume = audio.createGain();
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(loud, start + (kind === "tone" ? 0.02 : 0.004));
    volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
    let source;
    if (kind === "card") {
      source = Object.assign(audio.createBufferSource(), { buffer: (noise ??= createNoise()) });
      const band = Object.assign(audio.createBiquadFilter(), { type: "bandpass" });
      band.frequency.value = pitch;
      source.connect(band).connect(volume);
    } else {
      source = Object.assign(audio.createOscillator(), { type: kind === "wood" ? "triangle" : "sine" });
      source.frequency.setValueAtTime(pitch, start);
      if (kind === "wood") source.frequency.exponentialRampToValueAtTime(pitch / 2, start + long);
      source.connect(volume);
    }
    volume.connect(audio.destination);
    source.start(start);
    source.stop(start + long + 0.05);
  }

  function createNoise() {
    const buffer = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
    const data = buffer.getChannelData(0);
    for (let at = 0; at < data.length; at++) data[at] = 2 * Math.random() - 1;
    return buffer;
  }

  // The switch, beside the settings.
  const button = $("[data-sound]");
  const update = () => button?.setAttribute("aria-pressed", isOn());
  button?.addEventListener("click", () => {
    store("sound", isOn() ? "off" : "on");
    update();
    wake();
    play("turn");
  });
  update();

  document.addEventListener("beat", ({ detail }) => detail.hurry || play("beat"));
  document.addEventListener("staged", ({ detail }) => play(detail.isEnd ? "end" : "moment"));

  return { play };
}

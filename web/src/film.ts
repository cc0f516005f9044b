// The scene as a film: played once from its start to its end, recorded as it is drawn.
import type { Clock } from "./clock";
import { button, icon } from "./dom";
import { fileName, save } from "./export";

const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

// `solid`: the canvas is see-through on the page, and black in a film; this gives it a colour while it is recorded.
export function filmButton(canvas: HTMLCanvasElement, clock: Clock, title: string, solid: (on: boolean) => void): HTMLButtonElement | null {
  const kind = typeof MediaRecorder === "undefined" ? undefined : kinds.find((k) => MediaRecorder.isTypeSupported(k));
  if (!kind || !canvas.captureStream) return null;
  let recorder: MediaRecorder | null = null;
  const film = button("Record the motion as a film (WebM)", icon("M2 4h8v8H2zM10 7l4-2.500v7L10 9"), () => {
    if (recorder) {
      clock.pause();
      return;
    }
    const parts: Blob[] = [];
    const looping = clock.looping;
    recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 8e6 });
    recorder.addEventListener("dataavailable", (e) => e.data.size && parts.push(e.data));
    recorder.addEventListener("stop", () => {
      recorder = null;
      solid(false);
      film.setAttribute("aria-pressed", "false");
      clock.looping = looping;
      save(new Blob(parts, { type: "video/webm" }), fileName(title, ".webm"));
    });
    film.setAttribute("aria-pressed", "true");
    solid(true);
    clock.pause();
    clock.looping = false;
    clock.set(clock.start);
    // Drawn once with its colour: no empty picture comes first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        recorder?.start();
        clock.play();
      }),
    );
  });
  film.setAttribute("aria-pressed", "false");
  // The end, or whoever stops it.
  clock.listen(() => {
    if (recorder?.state === "recording" && !clock.playing && clock.time > clock.start) setTimeout(() => recorder?.state === "recording" && recorder.stop(), 200);
  });
  return film;
}

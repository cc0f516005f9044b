// View and time in the address of the page, behind #: a link shows what its sender saw.
import type { Clock } from "./clock";
import type { Stage } from "./scene";

export function rememberInAddress(clock: Clock, stage: Stage | null): void {
  const asked = new URLSearchParams(location.hash.slice(1));
  const time = Number(asked.get("t"));
  if (asked.has("t") && Number.isFinite(time)) clock.set(time);
  const view = (asked.get("view") ?? "").split(",").map(Number);
  if (stage && view.length === 6 && view.every(Number.isFinite)) stage.lookFrom(view);

  let waiting = 0;
  const write = (): void => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      if (clock.playing) return;
      const parts = [`t=${Number(clock.time.toPrecision(6))}`];
      if (stage) parts.push(`view=${stage.viewNumbers.map((x) => Number(x.toPrecision(5))).join(",")}`);
      try {
        history.replaceState(null, "", `#${parts.join("&")}`);
      } catch {
        // a page in a frame may not
      }
    }, 400);
  };
  clock.listen(write);
  stage?.canvas.addEventListener("pointerup", write);
  stage?.canvas.addEventListener("wheel", write, { passive: true });
}

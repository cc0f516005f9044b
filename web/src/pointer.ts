// What the pointer is on: its name beside it, a click for who asks.
import { type Camera, type Object3D, Raycaster, Vector2 } from "three";
import { el } from "./dom";
import type { Part } from "./drawing";
import type { Motion, Vec } from "./unpack";

export class Pointer {
  readonly element = el("div", { class: "tag hover", hidden: true });
  private event: PointerEvent | null = null; // not looked at yet

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly camera: Camera,
    private readonly motion: Motion,
    private readonly parts: Part[],
    private readonly onScreen: (x: Vec) => { x: number; y: number; visible: boolean },
    clicked: (frame: number) => void, // -1: on nothing of its own
  ) {
    let down: { x: number; y: number } | null = null;
    canvas.addEventListener("pointerdown", (e) => {
      down = { x: e.clientX, y: e.clientY };
      this.element.hidden = true;
    });
    canvas.addEventListener("pointermove", (e) => {
      if (e.buttons || e.pointerType === "touch") return;
      if (!this.event) requestAnimationFrame(() => this.look());
      this.event = e;
    });
    canvas.addEventListener("pointerleave", () => {
      this.event = null;
      this.element.hidden = true;
    });
    canvas.addEventListener("pointerup", (e) => {
      const still = down && Math.hypot(e.clientX - down.x, e.clientY - down.y) < 4 && e.button === 0;
      down = null;
      if (still) clicked(this.pick(e)?.frame ?? -1);
    });
  }

  // Once for each picture, however often the pointer moves.
  look(): void {
    const e = this.event;
    if (!e) return;
    this.event = null;
    const found = this.pick(e);
    this.element.hidden = !found;
    this.canvas.style.cursor = found && found.frame >= 0 ? "pointer" : "";
    if (!found) return;
    const r = this.canvas.getBoundingClientRect();
    this.element.textContent = found.label;
    this.element.style.transform = `translate(${e.clientX - r.left + 12}px, ${e.clientY - r.top + 12}px)`;
  }

  private pick(e: { clientX: number; clientY: number }): { label: string; frame: number } | null {
    const r = this.canvas.getBoundingClientRect();
    const at = new Vector2(e.clientX - r.left, e.clientY - r.top);
    // What is small on the screen is hit by nearness.
    const m = this.motion;
    let best = -1;
    let nearest = 9;
    for (let f = 0; f < m.nodes; ++f) {
      const x = this.onScreen(m.position(f));
      const distance = Math.hypot(x.x - at.x, x.y - at.y);
      if (x.visible && distance < nearest) {
        nearest = distance;
        best = f;
      }
    }
    if (best >= 0) return { label: m.name(best), frame: best };
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * at.x) / r.width - 1, 1 - (2 * at.y) / r.height), this.camera);
    const hit = ray.intersectObjects(this.parts.map((part) => part.mesh) as Object3D[], false)[0];
    const part = hit && this.parts.find((one) => one.mesh === hit.object);
    if (!part || hit.instanceId === undefined) return null;
    return { label: part.label(hit.instanceId), frame: part.frame(hit.instanceId) };
  }
}

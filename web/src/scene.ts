// The stage: camera, picking, names, axes. It draws only when something has changed.
import {
  BufferGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  type Object3D,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene as Space,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Clock } from "./clock";
import type { Run } from "./data";
import { button, el, icon, svg } from "./dom";
import { Drawing, halfEdges } from "./drawing";
import { fileName, save } from "./export";
import { drawnInSoftware } from "./graphics";
import { brief } from "./numbers";
import { curveColour, forceGradient, onTheme, styleColour } from "./theme";
import { type Motion, multiply, rotate, type Vec } from "./unpack";

type View = "x" | "y" | "z" | "iso";

const length = (v: ArrayLike<number>): number => Math.hypot(v[0], v[1], v[2]);

// Up is against gravity where it points along an axis, else z; in a plane, the second of its axes.
function upOf(run: Run): Vec {
  const { gravity, plane } = run.scene;
  const g = length(gravity);
  for (let k = 0; k < 3 && g > 0; ++k) {
    const up: Vec = [0, 0, 0];
    up[k] = -Math.sign(gravity[k]);
    if (Math.abs(gravity[k]) > 0.999 * g && (!plane || "xyz"[k] === plane[0] || "xyz"[k] === plane[1])) return up;
  }
  return plane === "xy" ? [0, 1, 0] : [0, 0, 1];
}

export const hasScene = (run: Run): boolean =>
  run.scene.nodes.length + run.scene.bodies.length > 0 && run.frames.count > 0;

export class Stage {
  readonly element: HTMLElement;
  framesDrawn = 0;
  firstPaint = 0; // ms since the page was asked for
  onSelect: () => void = () => {};
  private readonly canvas = el("canvas", { tabindex: 0, "aria-label": "The model in space. Drag turns, wheel zooms, right button moves; keys: f fits, x y z i turn to a view." });
  private renderer: WebGLRenderer | null = null;
  private readonly space = new Space();
  private readonly camera = new PerspectiveCamera(28, 1, 0.01, 100);
  private controls: OrbitControls | null = null;
  private readonly drawings: Drawing[] = [];
  private readonly hidden: boolean[]; // of each run
  private readonly up: Vec;
  private box: { low: Vec; high: Vec };
  private readonly hovered = el("div", { class: "tag hover", hidden: true });
  private readonly names = el("div", { class: "names", "aria-hidden": "true" });
  private readonly caption = el("div", { class: "caption", role: "status" });
  private readonly triad = svg("svg", { class: "triad", viewBox: "-50 -50 100 100", role: "img", "aria-label": "axes and gravity" });
  private readonly legend = el("div", { class: "force-legend", hidden: true });
  private readonly triadTurn = new Quaternion(0, 0, 0, 0);
  private grid: LineSegments | null = null;
  private waiting = false;
  private moved = true; // time has changed since the last drawing
  private showNames = false;
  private selected = -1;
  private dirtyPointer: PointerEvent | null = null;

  constructor(
    private readonly runs: Run[],
    private readonly motions: Motion[],
    private readonly clock: Clock,
    private readonly alone = false, // one run at a time, the first to begin with; else all, those behind the first see-through
  ) {
    this.hidden = runs.map((_, i) => alone && i > 0);
    const run = runs[0];
    this.up = upOf(run);
    this.camera.up.set(...this.up);
    this.box = this.bounds();
    this.element = el("div", { class: "stage-view" }, this.canvas, this.names, this.hovered, this.caption, this.triad as unknown as Node, this.legend);
  }

  // Called when the rest of the page can be seen already: making shaders takes a while.
  begin(): void {
    const software = drawnInSoftware();
    const context = this.canvas.getContext("webgl2", { antialias: !software, alpha: true, powerPreference: "default" });
    if (!context) {
      this.element.replaceChildren(
        el("p", { class: "no-webgl" }, "This browser offers no WebGL 2, so the model cannot be drawn in space. Plots, tables and words are all here."),
      );
      return;
    }
    this.renderer = new WebGLRenderer({ canvas: this.canvas, context, antialias: !software, alpha: true });
    this.renderer.setPixelRatio(this.pixelRatio());
    this.space.add(new HemisphereLight("#ffffff", "#b4bcc4", 2.3));
    const sun = new DirectionalLight("#ffffff", 1.5);
    sun.position.set(0.6, 0.9, 1.2);
    this.camera.add(sun); // comes over the shoulder
    this.space.add(this.camera);

    const run = this.runs[0];
    const size = run.scene.size > 0 ? run.scene.size : length(this.diagonal()) || 1;
    this.motions.forEach((m, i) => {
      if (!hasScene(this.runs[i])) return;
      const d = new Drawing(m, size, this.up, i === 0 || this.alone ? null : curveColour(i));
      d.group.visible = !this.hidden[i];
      this.drawings.push(d);
      this.space.add(d.group);
      for (const f of this.runs[i].scene.trails) d.setTrail(f, true);
    });
    this.makeGrid();

    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.request());
    this.view(run.scene.plane === "xy" ? "z" : run.scene.plane === "xz" ? "y" : run.scene.plane === "yz" ? "x" : "iso");
    this.listenToPointer();
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.clock.listen(() => {
      this.moved = true;
      this.request();
    });
    onTheme(() => this.paint());
    this.paint();
    this.showLegend();
    this.resize();
  }

  get drawn(): boolean {
    return this.renderer !== null;
  }

  get frames(): string[] {
    const m = this.motions[0];
    return Array.from({ length: m.count }, (_, i) => m.name(i));
  }

  get trails(): Set<number> {
    return new Set(this.drawings[0]?.trailFrames ?? []);
  }

  get nodeCount(): number {
    return this.motions[0].nodes;
  }

  setTrail(frame: number, on: boolean): void {
    for (const d of this.drawings) d.setTrail(frame, on);
    this.moved = true;
    this.request();
  }

  setVisible(run: number, on: boolean): void {
    this.hidden[run] = !on;
    if (this.drawings[run]) this.drawings[run].group.visible = on;
    this.request();
  }

  toggleNames(): boolean {
    this.showNames = !this.showNames;
    this.request();
    return this.showNames;
  }

  select(frame: number): void {
    this.selected = frame;
    this.request();
  }

  // New frames of the same model, while the run goes on.
  refresh(): void {
    this.box = this.bounds(); // for the next fit; the camera stays
    for (const d of this.drawings) for (const f of d.trailFrames) d.setTrail(f, true);
    this.showLegend();
    this.moved = true;
    this.request();
  }

  setCaption(text: string): void {
    if (this.caption.textContent !== text) this.caption.textContent = text;
  }

  fit(): void {
    this.look(this.camera.position.clone().sub(this.target()));
  }

  view(name: View): void {
    const d: Record<View, Vec> = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1], iso: this.corner() };
    this.look(new Vector3(...d[name]));
  }

  // From the right front, a little above, whatever is up; what is flat is seen rather from its broad side.
  private corner(): Vec {
    const k = this.upAxis();
    const [a, b] = [(k + 1) % 3, (k + 2) % 3];
    const size = this.diagonal();
    const v: Vec = [0, 0, 0];
    v[a] = 1;
    v[b] = k === 2 ? -1.5 : 1.5;
    v[k] = 0.9 * this.up[k];
    const thin = size.indexOf(Math.min(...size));
    const others = size.filter((_, i) => i !== thin);
    if (size[thin] < 0.3 * Math.min(...others)) v[thin] = Math.sign(v[thin]) * 2.6;
    return v;
  }

  // In CSS pixels of the page.
  project(name: string): { x: number; y: number } | null {
    const m = this.motions[0];
    const frame = m.find(name);
    if (frame < 0 || !this.renderer) return null;
    m.at(this.clock.time);
    const v = this.onScreen(m.position(frame));
    const r = this.canvas.getBoundingClientRect();
    return { x: r.left + scrollX + v.x, y: r.top + scrollY + v.y };
  }

  // For tests: what the projection above is made of.
  get cameraMatrices(): { view: number[]; projection: number[]; box: DOMRect } {
    this.camera.updateMatrixWorld();
    return {
      view: this.camera.matrixWorldInverse.toArray(),
      projection: this.camera.projectionMatrix.toArray(),
      box: this.canvas.getBoundingClientRect(),
    };
  }

  colourOf(name: string): string | null {
    const frame = this.motions[0].find(name);
    return frame < 0 || !this.drawings[0] ? null : this.drawings[0].colourOf(frame);
  }

  picture(title: string): void {
    this.draw();
    this.canvas.toBlob((blob) => blob && save(blob, fileName(title, ".png")));
  }

  toolbar(title: string): HTMLElement {
    const names = button("Show all names (n)", "Names", () => names.setAttribute("aria-pressed", String(this.toggleNames())), { "aria-pressed": "false", class: "names-button" });
    return el(
      "div",
      { class: "stage-tools", role: "toolbar", "aria-label": "view" },
      button("Fit to the window (f)", icon("M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"), () => this.fit()),
      ...(["x", "y", "z"] as const).map((v) => button(`Look along ${v} (${v})`, v, () => this.view(v))),
      button("Look from a corner (i)", "iso", () => this.view("iso")),
      names,
      this.trailsMenu(),
      button("Save this view as PNG", icon("M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11"), () => this.picture(title)),
    );
  }

  request(): void {
    if (this.waiting || !this.renderer) return;
    this.waiting = true;
    requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.waiting = false;
    if (!this.renderer) return;
    if (this.moved) {
      for (const d of this.drawings) {
        d.motion.at(this.clock.time);
        d.update();
      }
      this.moved = false;
    }
    const distance = this.camera.position.distanceTo(this.target());
    const size = length(this.diagonal()) || 1;
    this.camera.near = Math.max(distance / 500, distance - 20 * size);
    this.camera.far = distance + 20 * size;
    this.camera.updateProjectionMatrix();
    const ratio = this.pixelRatio();
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.renderer.render(this.space, this.camera);
    ++this.framesDrawn;
    if (!this.firstPaint) this.firstPaint = performance.now();
    this.drawTriad();
    this.drawNames();
    if (this.dirtyPointer) this.hover(this.dirtyPointer);
  }

  private pixelRatio(): number {
    if (!drawnInSoftware()) return Math.min(devicePixelRatio, 1.5);
    return this.clock.playing ? 0.7 : 1;
  }

  private paint(): void {
    for (const d of this.drawings) d.setInk(styleColour("--joint"));
    if (this.grid) (this.grid.material as LineBasicMaterial).color.set(styleColour("--grid"));
    this.request();
  }

  private resize(): void {
    if (!this.renderer) return;
    const { clientWidth: w, clientHeight: h } = this.element;
    if (!w || !h) return;
    const first = this.camera.aspect === 1;
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (first) this.fit();
    this.draw(); // at once: a canvas that is resized is empty
  }

  private target(): Vector3 {
    return this.controls?.target ?? new Vector3();
  }

  private upAxis(): number {
    return this.up.findIndex((c) => c !== 0);
  }

  private diagonal(): Vec {
    const { low, high } = this.box;
    return [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
  }

  // Of the motion of the first run if it stays near where it began, else of its start. Shapes count as the boxes they lie in.
  private bounds(): { low: Vec; high: Vec } {
    const m = this.motions[0];
    const scene = m.scene;
    const shapes = scene.shapes.filter((h) => h.frame >= m.nodes);
    const halves = shapes.map(halfEdges);
    const over = (times: number[]): { low: Vec; high: Vec } => {
      const low: Vec = [Infinity, Infinity, Infinity];
      const high: Vec = [-Infinity, -Infinity, -Infinity];
      const take = (x: ArrayLike<number>, room: ArrayLike<number> = [0, 0, 0]): void => {
        for (let k = 0; k < 3; ++k) {
          if (!Number.isFinite(x[k])) continue;
          low[k] = Math.min(low[k], x[k] - room[k]);
          high[k] = Math.max(high[k], x[k] + room[k]);
        }
      };
      for (const t of times) {
        m.at(t);
        for (let f = 0; f < m.count; ++f) take(m.position(f));
        shapes.forEach((h, i) => {
          const turn = multiply(m.rotation(h.frame), h.quaternion);
          const room = [0, 0, 0];
          for (let e = 0; e < 3; ++e) {
            const edge = rotate(turn, [e === 0 ? halves[i][0] : 0, e === 1 ? halves[i][1] : 0, e === 2 ? halves[i][2] : 0]);
            for (let k = 0; k < 3; ++k) room[k] += Math.abs(edge[k]);
          }
          take(m.place({ frame: h.frame, point: h.position }), room);
        });
      }
      for (const spring of scene.springs) for (const e of spring.ends) if (e.frame < 0) take(e.point);
      for (const joint of scene.joints) if (joint.place.frame < 0) take(joint.place.point);
      for (const line of scene.lines) for (const e of line.places) if (e.frame < 0) take(e.point);
      return Number.isFinite(low[0]) ? { low, high } : { low: [-1, -1, -1], high: [1, 1, 1] };
    };
    const extent = (b: { low: Vec; high: Vec }): number => Math.hypot(...b.low.map((l, k) => b.high[k] - l));
    const start = over([m.start]);
    const looks = Math.min(m.times.length, Math.max(2, Math.floor(40000 / Math.max(1, m.count))), 200);
    const whole = over(m.times.filter((_, i) => i % Math.ceil(m.times.length / looks) === 0));
    const size = Math.max(extent(start), scene.size);
    const box = extent(whole) <= 5 * size ? whole : start;
    const room = extent(box) > 0 ? 0 : (scene.size || 1) / 2;
    return { low: box.low.map((l) => l - room) as Vec, high: box.high.map((h) => h + room) as Vec };
  }

  // Camera in direction `d` of the middle, far enough to see the whole box.
  private look(d: Vector3): void {
    if (!this.controls) return;
    const { low, high } = this.box;
    const middle = new Vector3((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    d.normalize();
    if (Math.abs(d.dot(this.camera.up)) > 0.9999) {
      // Straight from above: the poles are not quite reachable, and need to know which way is up.
      const k = this.upAxis();
      d.setComponent((k + 1) % 3, d.getComponent((k + 1) % 3) + (k === 2 ? 0 : 1e-3));
      d.setComponent((k + 2) % 3, d.getComponent((k + 2) % 3) + (k === 2 ? -1e-3 : 1e-3)).normalize();
    }
    const right = new Vector3().crossVectors(this.camera.up, d).normalize();
    const above = new Vector3().crossVectors(d, right);
    const v = Math.tan((this.camera.fov * Math.PI) / 360);
    const h = v * this.camera.aspect;
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const c = new Vector3(...([0, 1, 2].map((k) => ((corner >> k) & 1 ? high[k] : low[k])) as Vec)).sub(middle);
      distance = Math.max(distance, Math.abs(c.dot(right)) / h + c.dot(d), Math.abs(c.dot(above)) / v + c.dot(d));
    }
    const size = length(this.diagonal()) || 1;
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(d, 1.13 * distance + 0.02 * size);
    this.controls.update();
    this.request();
  }

  // A floor under the motion, or graph paper behind a plane one; its squares have a round size.
  private makeGrid(): void {
    const { plane } = this.runs[0].scene;
    const { low, high } = this.box;
    const size = Math.max(...this.diagonal()) || 1;
    const raw = size / 8;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = power * ([1, 2, 5, 10].find((s) => s * power >= raw) ?? 10);
    const normal = plane ? ["yz", "xz", "xy"].indexOf(plane) : this.upAxis();
    const [a, b] = [(normal + 1) % 3, (normal + 2) % 3];
    const sign = plane ? (normal === 1 ? -1 : 1) : this.up[normal];
    const level = sign > 0 ? low[normal] - 0.02 * size : high[normal] + 0.02 * size;
    const cells = (k: number): [number, number] => [
      Math.floor(low[k] / step - 0.6) * step,
      Math.ceil(high[k] / step + 0.6) * step,
    ];
    const [a0, a1] = cells(a);
    const [b0, b1] = cells(b);
    const points: number[] = [];
    const push = (u: number, w: number): void => {
      const x: Vec = [0, 0, 0];
      x[a] = u;
      x[b] = w;
      x[normal] = level;
      points.push(...x);
    };
    for (let u = a0; u <= a1 + 0.01 * step; u += step) push(u, b0), push(u, b1);
    for (let w = b0; w <= b1 + 0.01 * step; w += step) push(a0, w), push(a1, w);
    const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
    this.grid = new LineSegments(geometry, new LineBasicMaterial({ color: "#888888" }));
    this.grid.raycast = () => {};
    this.space.add(this.grid);
    this.element.append(el("div", { class: "grid-size" }, `grid ${brief(step)} m`));
  }

  private onScreen(x: Vec): { x: number; y: number; visible: boolean } {
    const v = new Vector3(...x).project(this.camera);
    return {
      x: ((v.x + 1) / 2) * this.canvas.clientWidth,
      y: ((1 - v.y) / 2) * this.canvas.clientHeight,
      visible: v.z < 1 && Math.abs(v.x) <= 1 && Math.abs(v.y) <= 1,
    };
  }

  private drawTriad(): void {
    const toCamera = this.camera.matrixWorldInverse;
    if (this.camera.quaternion.equals(this.triadTurn)) return;
    this.triadTurn.copy(this.camera.quaternion);
    const arrows: { d: Vector3; name: string; className: string }[] = (["x", "y", "z"] as const).map((name, k) => ({
      d: new Vector3(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0).transformDirection(toCamera),
      name,
      className: `axis-${name}`,
    }));
    const g = new Vector3(...this.runs[0].scene.gravity);
    if (g.length() > 0) arrows.push({ d: g.transformDirection(toCamera), name: "g", className: "axis-g" });
    arrows.sort((a, b) => a.d.z - b.d.z);
    this.triad.replaceChildren(
      ...arrows.map(({ d, name, className }) => {
        const reach = name === "g" ? 27 : 34;
        const x = d.x * reach;
        const y = -d.y * reach;
        const flat = Math.hypot(x, y);
        const group = svg("g", { class: className }, svg("line", { x1: 0, y1: 0, x2: x, y2: y }));
        if (flat > 6) {
          const [ux, uy] = [x / flat, y / flat];
          group.append(svg("path", { d: `M${x + 5 * ux},${y + 5 * uy} L${x - 3.2 * uy},${y + 3.2 * ux} L${x + 3.2 * uy},${y - 3.2 * ux} Z` }));
          const text = svg("text", { x: x + 12 * ux, y: y + 12 * uy });
          text.textContent = name;
          group.append(text);
        }
        return group;
      }),
    );
  }

  private drawNames(): void {
    const m = this.motions[0];
    const list: number[] = [];
    if (this.showNames) for (let f = 0; f < Math.min(m.count, 120); ++f) list.push(f);
    else if (this.selected >= 0) list.push(this.selected);
    while (this.names.childElementCount > list.length) this.names.lastElementChild?.remove();
    while (this.names.childElementCount < list.length) this.names.append(el("div", { class: "tag" }));
    list.forEach((f, i) => {
      const tag = this.names.children[i] as HTMLElement;
      const at = this.onScreen(m.position(f));
      if (tag.textContent !== m.name(f)) tag.textContent = m.name(f);
      tag.classList.toggle("selected", f === this.selected);
      tag.style.visibility = at.visible ? "visible" : "hidden";
      tag.style.transform = `translate(${(at.x + 9).toFixed(1)}px, ${(at.y - 24).toFixed(1)}px)`;
    });
  }

  private pick(e: { clientX: number; clientY: number }): { label: string; frame: number } | null {
    const r = this.canvas.getBoundingClientRect();
    const at = new Vector2(e.clientX - r.left, e.clientY - r.top);
    // What is small on the screen is hit by nearness.
    const m = this.motions[0];
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
    const parts = this.drawings[0].parts;
    const hit = ray.intersectObjects(parts.map((part) => part.mesh) as Object3D[], false)[0];
    const part = hit && parts.find((one) => one.mesh === hit.object);
    if (!part || hit.instanceId === undefined) return null;
    return { label: part.label(hit.instanceId), frame: part.frame(hit.instanceId) };
  }

  private hover(e: PointerEvent): void {
    this.dirtyPointer = null;
    const found = this.pick(e);
    this.hovered.hidden = !found;
    this.canvas.style.cursor = found && found.frame >= 0 ? "pointer" : "";
    if (!found) return;
    const r = this.canvas.getBoundingClientRect();
    this.hovered.textContent = found.label;
    this.hovered.style.transform = `translate(${e.clientX - r.left + 12}px, ${e.clientY - r.top + 12}px)`;
  }

  private listenToPointer(): void {
    let down: { x: number; y: number } | null = null;
    this.canvas.addEventListener("pointerdown", (e) => {
      down = { x: e.clientX, y: e.clientY };
      this.hovered.hidden = true;
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (e.buttons || e.pointerType === "touch") return;
      if (!this.dirtyPointer && !this.waiting) requestAnimationFrame(() => this.dirtyPointer && this.hover(this.dirtyPointer));
      this.dirtyPointer = e;
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.dirtyPointer = null;
      this.hovered.hidden = true;
    });
    this.canvas.addEventListener("pointerup", (e) => {
      const still = down && Math.hypot(e.clientX - down.x, e.clientY - down.y) < 4 && e.button === 0;
      down = null;
      if (!still) return;
      const found = this.pick(e);
      if (found && found.frame >= 0) {
        this.setTrail(found.frame, !this.trails.has(found.frame));
        this.select(this.trails.has(found.frame) || this.motions[0].times.length < 2 ? found.frame : -1);
      } else this.select(-1);
      this.onSelect();
    });
  }

  private showLegend(): void {
    const largest = this.motions[0].largestForce;
    this.legend.hidden = this.runs[0].scene.bars.length === 0 || this.motions[0].forces.length === 0;
    if (this.legend.hidden) return;
    const ramp = el("div", { class: "ramp" });
    ramp.style.backgroundImage = forceGradient();
    this.legend.replaceChildren(
      el("div", { class: "legend-title" }, "axial force [N]"),
      ramp,
      el("div", { class: "legend-ends" }, el("span", {}, brief(-largest, 3)), el("span", {}, "0"), el("span", {}, "+" + brief(largest, 3))),
      el("div", { class: "legend-ends" }, el("span", {}, "compression"), el("span", {}, "tension")),
    );
  }

  // All names with a search: which of them draw their path.
  private trailsMenu(): HTMLElement {
    const list = el("ul", { class: "trail-list" });
    const search = el("input", { type: "search", placeholder: "Search names", "aria-label": "Search names" });
    const fill = (): void => {
      const asked = search.value.trim().toLowerCase();
      const on = this.trails;
      const found = this.frames.map((name, i) => ({ name, i })).filter(({ name }) => name.toLowerCase().includes(asked));
      found.sort((a, b) => Number(on.has(b.i)) - Number(on.has(a.i)) || a.i - b.i);
      list.replaceChildren(
        ...found.slice(0, 200).map(({ name, i }) => {
          const box = el("input", { type: "checkbox" });
          box.checked = on.has(i);
          box.addEventListener("change", () => {
            this.setTrail(i, box.checked);
            this.select(i);
          });
          return el("li", {}, el("label", {}, box, el("span", { class: "trail-name" }, name), el("span", { class: "muted" }, i < this.nodeCount ? "node" : "body")));
        }),
        found.length > 200 && el("li", { class: "muted" }, `${found.length - 200} more: search for them`) || "",
      );
    };
    search.addEventListener("input", fill);
    const menu = el("details", { class: "menu" }, el("summary", { title: "Paths of nodes and bodies" }, "Trails"), el("div", { class: "menu-body" }, search, list));
    menu.addEventListener("toggle", () => menu.open && fill());
    this.onSelect = () => menu.open && fill();
    document.addEventListener("pointerdown", (e) => {
      if (!menu.contains(e.target as Node) && e.target !== this.canvas) menu.open = false;
    });
    menu.addEventListener("keydown", (e) => {
      if (e.key === "Escape") menu.open = false;
    });
    return menu;
  }
}

// The stage: camera, picking, names, axes. It draws only when something has changed.
import {
  Color,
  DirectionalLight,
  HemisphereLight,
  type LineBasicMaterial,
  type LineSegments,
  PerspectiveCamera,
  Quaternion,
  Scene as Space,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { type Box, boundsOf, diagonalOf, length, upOf } from "./bounds";
import { corner, viewpoint } from "./camera";
import type { Clock } from "./clock";
import type { Run } from "./data";
import { button, el, icon, svg } from "./dom";
import { Drawing } from "./drawing";
import { fileName, save } from "./export";
import { type Followed, Follower } from "./follower";
import { ForceLegend } from "./force_legend";
import { drawnInSoftware } from "./graphics";
import { axesOf, gridOf } from "./landmarks";
import { NameTags } from "./name_tags";
import { brief } from "./numbers";
import { Pointer } from "./pointer";
import { curveColour, onTheme, styleColour } from "./theme";
import { type Motion, motionOf, type Vec } from "./unpack";

type View = "x" | "y" | "z" | "iso";

export const hasScene = (run: Run): boolean =>
  run.scene.nodes.length + run.scene.bodies.length > 0 && run.frames.count > 0;

export class Stage {
  readonly element: HTMLElement;
  framesDrawn = 0;
  firstPaint = 0; // ms since the page was asked for
  onSelect: () => void = () => {};
  readonly canvas = el("canvas", { tabindex: 0, "aria-label": "The model in space. Drag turns, wheel zooms, right button moves; keys: f fits, x y z i turn to a view." });
  private renderer: WebGLRenderer | null = null;
  private readonly space = new Space();
  private readonly camera = new PerspectiveCamera(28, 1, 0.01, 100);
  private controls: OrbitControls | null = null;
  private readonly drawings: Drawing[] = [];
  private readonly hidden: boolean[]; // of each run
  private readonly up: Vec;
  private box: Box;
  readonly exaggerates: boolean; // the motion is small beside the model, or a vibration
  private readonly names = new NameTags();
  private readonly print = el("img", { class: "print-picture", alt: "The model in space" });
  private readonly caption = el("div", { class: "caption", role: "status" });
  private readonly triad = svg("svg", { class: "triad", viewBox: "-50 -50 100 100", role: "img", "aria-label": "axes and gravity" });
  private readonly legend: ForceLegend;
  private readonly triadTurn = new Quaternion(0, 0, 0, 0);
  private grid: LineSegments | null = null;
  private moveGrid: () => void = () => {};
  private waiting = false;
  private moved = true; // time has changed since the last drawing
  private showNames = false;
  private selected = -1;
  private readonly follower: Follower;
  readonly followButton = button("Follow what is selected, or the model (c)", icon("M8 1.500v3M8 11.500v3M1.500 8h3M11.500 8h3M8 5.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5"), () => this.toggleFollow(), { "aria-pressed": "false" });
  private pointer: Pointer | null = null;

  constructor(
    private readonly runs: Run[],
    private readonly motions: Motion[],
    readonly clock: Clock,
    readonly alone = false, // one run at a time, the first to begin with; else all, those behind the first see-through
  ) {
    this.hidden = runs.map((_, i) => alone && i > 0);
    const run = runs[0];
    this.up = upOf(run);
    this.camera.up.set(...this.up);
    this.follower = new Follower(motions[0]);
    this.legend = new ForceLegend(motions[0], () => this.colourRods());
    const { leaves, small, ...box } = boundsOf(motions[0]);
    this.exaggerates = small || alone;
    this.box = box;
    if (leaves) this.follow("model");
    this.element = el("div", { class: "stage-view" }, this.canvas, this.print, this.names.element, this.caption, this.triad as unknown as Node, this.legend.element);
  }

  // Small motions made large: what is away from the first frame, so many times.
  exaggerate(times: number): void {
    for (const m of this.motions) m.exaggeration = times;
    for (const d of this.drawings) for (const f of d.trailFrames) d.setTrail(f, true);
    this.moved = true;
    this.request();
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
    const size = run.scene.size > 0 ? run.scene.size : length(diagonalOf(this.box)) || 1;
    this.motions.forEach((m, i) => {
      if (!hasScene(this.runs[i])) return;
      const d = new Drawing(m, size, this.up, i === 0 || this.alone ? null : curveColour(i));
      d.group.visible = !this.hidden[i];
      this.drawings.push(d);
      this.space.add(d.group);
      for (const f of this.runs[i].scene.trails) d.setTrail(f, true);
    });
    if (this.alone) { // at rest, behind each shape
      const rest = motionOf(run, true);
      rest.exaggeration = 0;
      rest.at(rest.start);
      const ghost = new Drawing(rest, size, this.up, styleColour("--muted"));
      ghost.update(0);
      this.space.add(ghost.group);
    }
    const { grid, step, normal } = gridOf(this.box, run.scene.plane, this.up);
    this.grid = grid;
    const middle = this.box.low.map((x, k) => (x + this.box.high[k]) / 2);
    this.moveGrid = () => // by whole squares: the floor goes on wherever the camera goes
      grid.position.set(...(this.target().toArray().map((x, k) => (k === normal ? 0 : step * Math.round((x - middle[k]) / step))) as Vec));
    this.space.add(grid);
    this.element.append(el("div", { class: "grid-size" }, `grid ${brief(step)} m`));

    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.request());
    this.view(run.scene.plane === "xy" ? "z" : run.scene.plane === "xz" ? "y" : run.scene.plane === "yz" ? "x" : "iso");
    this.pointer = new Pointer(this.canvas, this.camera, this.motions[0], this.drawings[0].parts, (x) => this.onScreen(x), (frame) => this.clicked(frame));
    this.element.append(this.pointer.element);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.clock.listen(() => {
      this.moved = true;
      this.request();
    });
    onTheme(() => this.paint());
    this.paint();
    this.legend.show();
    this.colourRods();
    this.resize();
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

  toggleFollow(): void {
    this.follow(this.follower.on ? null : this.selected >= 0 ? this.selected : "model");
  }

  private follow(followed: Followed): void {
    this.follower.follow(followed);
    this.followButton.setAttribute("aria-pressed", String(this.follower.on));
    this.request();
  }

  private goAlong(): void {
    const way = this.follower.step();
    if (!way || !this.controls) return;
    this.controls.target.add(new Vector3(...way));
    this.camera.position.add(new Vector3(...way));
    this.moveGrid();
  }

  select(frame: number): void {
    this.selected = frame;
    this.request();
  }

  // New frames of the same model, while the run goes on.
  refresh(): void {
    this.box = boundsOf(this.motions[0]); // for the next fit; the camera stays
    for (const d of this.drawings) for (const f of d.trailFrames) d.setTrail(f, true);
    this.legend.show();
    this.colourRods();
    this.moved = true;
    this.request();
  }

  setCaption(text: string): void {
    if (this.caption.textContent !== text) this.caption.textContent = text;
  }

  fit(): void {
    if (this.follower.on) this.box = this.follower.box(this.clock.time);
    this.look(this.camera.position.clone().sub(this.target()));
  }

  // A second time: from the other side.
  view(name: View): void {
    const d: Record<View, Vec> = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1], iso: corner(diagonalOf(this.box), this.up) };
    const wanted = new Vector3(...d[name]).normalize();
    const now = this.camera.position.clone().sub(this.target()).normalize();
    if (this.framesDrawn > 0 && now.dot(wanted) > 0.999) wanted.negate();
    if (this.follower.on) this.box = this.follower.box(this.clock.time);
    this.look(wanted);
  }

  // Where the camera stands and what it looks at.
  get viewNumbers(): number[] {
    return [...this.camera.position.toArray(), ...this.target().toArray()];
  }

  lookFrom(numbers: number[]): void {
    this.camera.position.set(numbers[0], numbers[1], numbers[2]);
    this.controls?.target.set(numbers[3], numbers[4], numbers[5]);
    this.controls?.update();
    this.request();
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

  // A canvas of WebGL prints empty: a picture of it stands in.
  still(): void {
    if (!this.renderer) return;
    this.draw();
    this.print.src = this.canvas.toDataURL();
  }

  picture(title: string): void {
    this.draw();
    this.canvas.toBlob((blob) => blob && save(blob, fileName(title, ".png")));
  }

  // Behind the model: the colour of the page, or nothing.
  solid(on: boolean): void {
    this.space.background = on ? new Color(styleColour("--stage-top")) : null;
    this.request();
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
        d.update(this.clock.time);
      }
      this.moved = false;
      this.goAlong();
    }
    const distance = this.camera.position.distanceTo(this.target());
    const size = length(diagonalOf(this.box)) || 1;
    this.camera.near = Math.max(distance / 500, distance - 20 * size);
    this.camera.far = distance + 20 * size;
    this.camera.updateProjectionMatrix();
    const ratio = this.pixelRatio();
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.renderer.render(this.space, this.camera);
    ++this.framesDrawn;
    if (!this.firstPaint) this.firstPaint = performance.now();
    if (!this.camera.quaternion.equals(this.triadTurn)) {
      this.triadTurn.copy(this.camera.quaternion);
      this.triad.replaceChildren(...axesOf(this.camera, this.runs[0].scene.gravity));
    }
    this.drawNames();
    this.pointer?.look();
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

  private look(d: Vector3): void {
    if (!this.controls) return;
    const { position, target } = viewpoint(this.camera, this.box, d, this.up.findIndex((c) => c !== 0));
    this.controls.target.copy(target);
    this.camera.position.copy(position);
    this.controls.update();
    this.moveGrid();
    this.request();
  }

  private onScreen(x: Vec): { x: number; y: number; visible: boolean } {
    const v = new Vector3(...x).project(this.camera);
    return {
      x: ((v.x + 1) / 2) * this.canvas.clientWidth,
      y: ((1 - v.y) / 2) * this.canvas.clientHeight,
      visible: v.z < 1 && Math.abs(v.x) <= 1 && Math.abs(v.y) <= 1,
    };
  }

  private drawNames(): void {
    const m = this.motions[0];
    const list: number[] = [];
    if (this.showNames) for (let f = 0; f < Math.min(m.count, 120); ++f) list.push(f);
    else if (this.selected >= 0) list.push(this.selected);
    this.names.show(list.map((f) => ({ text: m.name(f), selected: f === this.selected, ...this.onScreen(m.position(f)) })));
  }

  private clicked(frame: number): void {
    if (frame >= 0) {
      this.setTrail(frame, !this.trails.has(frame));
      this.select(this.trails.has(frame) || this.motions[0].times.length < 2 ? frame : -1);
    } else this.select(-1);
    this.onSelect();
  }

  private colourRods(): void {
    for (const d of this.drawings) d.setCarried(this.legend.carried);
    this.request();
  }
}

// One run as things in space: every kind of thing is one InstancedMesh of a unit shape, so thousands of bodies are a few calls.
import { BoxGeometry, type BufferGeometry, Color, ConeGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, type MeshLambertMaterial } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Joint, Place, Shape, Solid } from "./data";
import { drawnInSoftware } from "./graphics";
import { loadColour, loadParts } from "./loads";
import { type Carried, halfEdgesOf, largestCarried, type Piece, piecesOf, poseOf, shareOf } from "./rods";
import { alongZ, coil, compose, lay, material, type Outline, reachOf, scaleOf, solids, turnTo, unitBall, unitBox, unitCylinder } from "./solids";
import { bodyColours, forceColour, nodeColour } from "./theme";
import { type Motion, multiply, type Quat, rotate, type Vec } from "./unpack";

// Things of one kind: what they are called, which frame moves them, where they are.
export interface Part {
  mesh: InstancedMesh;
  label: (i: number) => string;
  frame: (i: number) => number; // -1: none of its own
  pose: (i: number, out: Matrix4) => void;
}

const colour = new Color();

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

export class Drawing {
  readonly group = new Group();
  readonly parts: Part[] = [];
  readonly unit: number; // m: size of symbols
  private readonly ink: MeshLambertMaterial[] = [];
  private readonly wanted = new Set<number>(); // trails, also those too short yet to be drawn
  private readonly trails = new Map<number, { line: Line2; ends: Float32Array; patched: number }>();
  private bars: Part | null = null;
  private readonly tubes: { part: Part; pieces: Piece[] }[] = [];
  private carried: Carried | null = null; // of rods, as colours
  private largest = 0;
  private now = 0; // time

  constructor(
    readonly motion: Motion,
    size: number,
    readonly up: Vec,
    readonly ghost: string | null,
  ) {
    const scene = motion.scene;
    motion.at(motion.start);
    const reach = median(scene.shapes.map(reachOf));
    const bar = median(
      scene.bars.map(({ ends: [a, b] }) => Math.hypot(...[0, 1, 2].map((k) => motion.x[3 * a + k] - motion.x[3 * b + k]))),
    );
    this.unit = 0.017 * size;
    if (reach > 0) this.unit = Math.min(this.unit, 0.22 * reach);
    else if (bar > 0) this.unit = Math.min(this.unit, 0.09 * bar);
    this.addShapes(scene.shapes, size);
    this.addBars();
    this.addRods();
    this.addLines();
    this.addNodes();
    this.addSprings();
    if (!ghost) {
      this.addJoints();
      for (const { geometry, count, part } of loadParts(this.motion, this.unit, () => this.now)) this.add(geometry, material({ colour: loadColour }), count, part);
      this.addGround();
    }
  }

  colourOf(frame: number): string {
    return this.ghost ?? (frame < this.motion.nodes ? nodeColour : bodyColours[(frame - this.motion.nodes) % bodyColours.length]);
  }

  setInk(colour: string): void {
    for (const m of this.ink) m.color.set(colour);
  }

  // What rods carry gives their colours; nothing: that of the rod.
  setCarried(what: Carried | null): void {
    this.carried = this.motion.rodForces.length && !this.ghost ? what : null;
    this.largest = what ? largestCarried(this.motion, what) : 0;
    this.paintRods();
  }

  private paintRods(): void {
    if (this.ghost) return;
    for (const { part, pieces } of this.tubes) {
      pieces.forEach((piece, i) => {
        if (this.carried) {
          const [r, g, b] = forceColour(shareOf(this.motion, this.carried, piece.element, this.largest));
          colour.setRGB(r / 255, g / 255, b / 255, "srgb");
        } else colour.set(this.colourOf(piece.rod.frames[0]));
        part.mesh.setColorAt(i, colour);
      });
      if (part.mesh.instanceColor) part.mesh.instanceColor.needsUpdate = true;
    }
  }

  // Brings everything to where the motion is now.
  update(time: number): void {
    this.now = time;
    const m = new Matrix4();
    for (const part of this.parts) {
      for (let i = 0; i < part.mesh.count; ++i) {
        part.pose(i, m);
        part.mesh.setMatrixAt(i, m);
      }
      part.mesh.instanceMatrix.needsUpdate = true;
      part.mesh.boundingSphere = null; // picking computes it anew
    }
    if (this.bars && !this.ghost) {
      const largest = this.motion.largestForce || 1;
      for (let i = 0; i < this.bars.mesh.count; ++i) {
        const [r, g, b] = forceColour(this.motion.force[i] / largest);
        this.bars.mesh.setColorAt(i, colour.setRGB(r / 255, g / 255, b / 255, "srgb"));
      }
      if (this.bars.mesh.instanceColor) this.bars.mesh.instanceColor.needsUpdate = true;
    }
    if (this.carried) this.paintRods();
    for (const [frame, trail] of this.trails) this.drawTrail(frame, trail);
  }

  get trailFrames(): number[] {
    return [...this.wanted];
  }

  setTrail(frame: number, on: boolean): void {
    if (on) this.wanted.add(frame);
    else this.wanted.delete(frame);
    const old = this.trails.get(frame);
    if (old) {
      this.group.remove(old.line);
      old.line.geometry.dispose();
      old.line.material.dispose();
      this.trails.delete(frame);
    }
    const times = this.motion.times.length;
    if (!on || times < 2 || frame < 0 || frame >= this.motion.count) return;
    const points = this.motion.pathOf(frame);
    const geometry = new LineGeometry();
    geometry.setPositions(points);
    const look = new LineMaterial({ color: this.ghost ?? bodyColours[frame % bodyColours.length], linewidth: this.ghost ? 1.5 : 2, transparent: true, opacity: this.ghost ? 0.6 : 0.9 });
    const line = new Line2(geometry, look);
    line.frustumCulled = false;
    line.raycast = () => {};
    this.group.add(line);
    this.trails.set(frame, { line, ends: points, patched: -1 });
  }

  // The path up to now: whole pieces, and the last one cut where the frame is.
  private drawTrail(frame: number, trail: { line: Line2; ends: Float32Array; patched: number }): void {
    const pieces = trail.line.geometry.getAttribute("instanceEnd") as unknown as {
      data: { array: Float32Array; needsUpdate: boolean };
      count: number;
    };
    const array = pieces.data.array;
    const put = (i: number, x: ArrayLike<number>, from: number): void => {
      for (let k = 0; k < 3; ++k) array[6 * i + 3 + k] = x[from + k];
    };
    if (trail.patched >= 0) put(trail.patched, trail.ends, 3 * (trail.patched + 1));
    const i = Math.min(this.motion.index, pieces.count - 1);
    put(i, this.motion.x, 3 * frame);
    trail.patched = i;
    pieces.data.needsUpdate = true;
    trail.line.geometry.instanceCount = i + 1;
  }

  private add(
    geometry: BufferGeometry,
    look: MeshLambertMaterial,
    count: number,
    part: Omit<Part, "mesh">,
    colourOf?: (i: number) => string,
  ): Part | null {
    if (!count) return null;
    const mesh = new InstancedMesh(geometry, look, count);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    if (colourOf) for (let i = 0; i < count; ++i) mesh.setColorAt(i, colour.set(colourOf(i)));
    this.group.add(mesh);
    const made = { mesh, ...part };
    this.parts.push(made);
    return made;
  }

  private inked(opacity = 1): MeshLambertMaterial {
    const m = material({ ghost: this.ghost, opacity });
    if (!this.ghost) this.ink.push(m);
    return m;
  }

  private addShapes(shapes: Shape[], size: number): void {
    const kinds: [Outline, BufferGeometry, number, (k: Shape["kind"]) => boolean][] = [
      ["box", unitBox(), 1, (k) => k === "box" || k === "plate"],
      ["cylinder", unitCylinder(28), 1, (k) => k === "cylinder" || k === "rod"],
      ["ball", unitBall(shapes.length), 1, (k) => k === "sphere"],
      ["ball", unitBall(shapes.length), 0.62, (k) => k === "ellipsoid"], // no shape, only an inertia: see-through
    ];
    for (const [outline, geometry, opacity, fits] of kinds) {
      const these = shapes.filter((h) => fits(h.kind));
      const scales = these.map((h) => scaleOf(h, size, this.unit));
      const turns = these.map((h): Quat => (h.kind === "rod" ? multiply(h.quaternion, turnTo([1, 0, 0])) : h.quaternion));
      this.add(
        geometry,
        material({ ghost: this.ghost, outline, opacity }),
        these.length,
        {
          label: (i) => this.motion.name(these[i].frame),
          frame: (i) => these[i].frame,
          pose: (i, out) =>
            compose(
              out,
              this.motion.place({ frame: these[i].frame, point: these[i].position }),
              multiply(this.motion.rotation(these[i].frame), turns[i]),
              scales[i],
            ),
        },
        this.ghost ? undefined : (i) => this.colourOf(these[i].frame),
      );
    }
  }

  private addBars(): void {
    const bars = this.motion.scene.bars;
    this.bars = this.add(unitCylinder(10), material({ ghost: this.ghost }), bars.length, {
      label: (i) => bars[i].name,
      frame: () => -1,
      pose: (i, out) => {
        const [a, b] = bars[i].ends;
        lay(out, this.motion.position(a), this.motion.position(b), this.unit * (bars[i].tension_only ? 0.22 : 0.36));
      },
    });
  }

  private addRods(): void {
    const rods = this.motion.scene.rods ?? [];
    for (const [round, geometry] of [
      [true, unitCylinder(14)],
      [false, unitBox()],
    ] as const) {
      const pieces = piecesOf(rods.filter((r) => r.round === round), this.ghost ? 1 : undefined); // see-through pieces show their seams
      const half = pieces.map(({ rod }) => halfEdgesOf(rod, 0.3 * this.unit));
      const part = this.add(
        geometry,
        material({ ghost: this.ghost }),
        pieces.length,
        {
          label: (i) => `${pieces[i].rod.name}, at ${this.motion.name(this.nearest(pieces[i]))}`,
          frame: (i) => this.nearest(pieces[i]),
          pose: (i, out) => poseOf(this.motion, pieces[i], half[i], out),
        },
        this.ghost ? undefined : (i) => this.colourOf(pieces[i].rod.frames[0]),
      );
      if (part) this.tubes.push({ part, pieces });
    }
  }

  private nearest(piece: Piece): number {
    return piece.begin + piece.end < 1 ? piece.from : piece.to;
  }

  private addLines(): void {
    const pieces = this.motion.scene.lines.flatMap((l) =>
      l.places.slice(1).map((to, i): { name: string; ends: [Place, Place] } => ({ name: l.name, ends: [l.places[i], to] })),
    );
    this.add(unitCylinder(10), this.inked(), pieces.length, {
      label: (i) => pieces[i].name,
      frame: () => -1,
      pose: (i, out) => lay(out, this.motion.place(pieces[i].ends[0]), this.motion.place(pieces[i].ends[1]), this.unit * 0.3),
    });
  }

  private addNodes(): void {
    const { nodes, fixed } = this.motion.scene;
    const free = nodes.map((_, i) => i).filter((i) => !fixed[i]);
    this.add(
      unitBall(nodes.length),
      material({ ghost: this.ghost }),
      free.length,
      {
        label: (i) => nodes[free[i]],
        frame: (i) => free[i],
        pose: (i, out) => compose(out, this.motion.position(free[i]), [1, 0, 0, 0], [this.unit, this.unit, this.unit]),
      },
      this.ghost ? undefined : (i) => this.colourOf(free[i]),
    );
  }

  private addSprings(): void {
    const springs = this.motion.scene.springs;
    const many = springs.length > 40 || drawnInSoftware();
    const radius = springs.map(({ ends: [a, b] }) => {
      const [x, y] = [this.motion.place(a), this.motion.place(b)];
      return Math.max(this.unit, 0.035 * Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]));
    });
    this.add(coil(many), this.inked(), springs.length, {
      label: (i) => springs[i].name,
      frame: () => -1,
      pose: (i, out) => lay(out, this.motion.place(springs[i].ends[0]), this.motion.place(springs[i].ends[1]), radius[i]),
    });
  }

  // Symbols are those of the scene; one that is unknown, or of an older scene, is an octahedron.
  private addJoints(): void {
    const plain: NonNullable<Joint["symbol"]> = { solid: "octahedron", size: [0.8, 0.8, 0.8] };
    const symbolOf = (j: Joint): typeof plain => (j.symbol && Object.hasOwn(solids, j.symbol.solid) ? j.symbol : plain);
    for (const solid of Object.keys(solids) as Solid[]) {
      const these = this.motion.scene.joints.filter((j) => symbolOf(j).solid === solid);
      if (!these.length) continue;
      const turns = these.map((j) => turnTo(j.axis));
      const scales = these.map((j) => symbolOf(j).size.map((x) => x * this.unit) as Vec);
      this.add(solids[solid](), this.inked(), these.length, {
        label: (i) => `${these[i].name}: ${these[i].kind} of ${these[i].bodies[0]} and ${these[i].bodies[1]}`,
        frame: () => -1,
        pose: (i, out) => {
          const { place, other } = these[i];
          if (solid === "link") lay(out, this.motion.place(place), this.motion.place(other), scales[i][0]);
          else compose(out, this.motion.place(place), multiply(this.motion.rotation(place.frame), turns[i]), scales[i]);
        },
      });
    }
  }

  // Supports: fixed nodes, and whatever springs, joints and lines hold on to in space.
  private addGround(): void {
    const scene = this.motion.scene;
    const held: { name: string; place: Place; frame: number }[] = [];
    scene.fixed.forEach((f, i) => f && held.push({ name: scene.nodes[i], place: { frame: i, point: [0, 0, 0] }, frame: i }));
    const seen = new Set<string>();
    const inSpace = (name: string, place: Place): void => {
      const key = place.point.join();
      if (place.frame >= 0 || seen.has(key)) return;
      seen.add(key);
      held.push({ name: `${name}: ground`, place, frame: -1 });
    };
    for (const spring of scene.springs) spring.ends.forEach((e) => inSpace(spring.name, e));
    for (const joint of scene.joints) {
      // Where the joint is drawn, whichever side the ground is.
      if (joint.place.frame < 0 || joint.other.frame < 0) inSpace(joint.name, joint.place.frame < 0 ? joint.place : joint.other);
    }
    for (const line of scene.lines) line.places.forEach((e) => inSpace(line.name, e));
    const k = 1.5 * this.unit;
    const pyramid = alongZ(new ConeGeometry(1, 1, 4)).translate(0, 0, -0.5); // its tip at the origin
    const turn = turnTo(this.up);
    const block = new BoxGeometry(1, 1, 1).translate(0, 0, -0.5);
    this.add(pyramid, this.inked(0.85), held.length, {
      label: (i) => held[i].name,
      frame: (i) => held[i].frame,
      pose: (i, out) => compose(out, this.motion.place(held[i].place), turn, [k, k, 1.4 * k]),
    });
    this.add(block, this.inked(0.85), held.length, {
      label: (i) => held[i].name,
      frame: (i) => held[i].frame,
      pose: (i, out) => {
        const foot = rotate(turn, [0, 0, -1.4 * k]);
        const x = this.motion.place(held[i].place);
        compose(out, [x[0] + foot[0], x[1] + foot[1], x[2] + foot[2]], turn, [2.6 * k, 2.6 * k, 0.25 * k]);
      },
    });
  }
}

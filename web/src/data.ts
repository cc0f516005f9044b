// What the tool puts into the page: the one description of it. `trompo/output/page_data.cpp` writes it, everything in web/ reads it.
// The page carries it as JSON in <script type="application/json" id="trompo-data">; `<` is written there as \u003c, so no text of a
// model can end the script. Numbers in JSON are doubles; long rows of numbers are float32, little endian, base64.

export type Packed = string; // base64 of float32; NaN: a gap

export interface PageData {
  format: "trompo page";
  version: 1;
  trompo: string; // version of the tool
  kind: "model" | "run" | "compare" | "reproduce" | "spectrum" | "modes";
  title: string;
  about: string[]; // paragraphs that the page opens with: what a paper did and what came out
  remarks: Remark[]; // warnings and what happened, in the order they came
  runs: Run[]; // none (reproduce, spectrum), one (model, run) or many (compare: the first is drawn solid, others ghosted)
  tables: Table[]; // of text and numbers: compare's table, reproduce's statements, facts of the scheme
  figures: Figure[]; // curves that do not belong to a run's time line: spectrum, reproduce, energy of compare
  live: boolean; // the run is under way: ask data.json beside it for more (only when served by `trompo view`)
}

export interface Remark {
  severity: "error" | "warning" | "note";
  text: string;
  time?: number; // s: where on the time line it belongs
}

export interface Run {
  label: string; // title of the model, or the contender's label in a comparison
  scheme: { name: string; parameters: Record<string, number | string>; claims: string[] }; // claims: sentences from the catalogue
  model: unknown; // the resolved model, as `trompo schema` describes it (shown as text, searchable)
  summary: Record<string, unknown> | null; // summary.json as it is; null while it runs or before it moves
  scene: Scene;
  frames: Frames; // one frame at least: the model before it moves
  plots: TimePlot[];
  events: Event[]; // damage, gusts: marks on the time line
  axis?: string; // what stands in the place of time: "load factor", "path step", "phase"; absent: time in seconds
}

export interface Event {
  time: number;
  until?: number; // of something that lasts, as a gust
  text: string; // "hinge_3: stiffness 0"
}

// The frames of reference that move: nodes first, then bodies, by name. A place is `frame` (an index into `names`) and a point in
// its axes, or `frame: -1` and a point in space.
export interface Place {
  frame: number;
  point: [number, number, number];
}

export interface Scene {
  nodes: string[]; // names; frames 0 .. n-1
  bodies: string[]; // names; frames n .. n+b-1
  fixed: boolean[]; // of each node: held in all directions (drawn as ground)
  gravity: [number, number, number];
  plane: "" | "xy" | "xz" | "yz";
  size: number; // m: what the eye should see at first; of the model at the start
  shapes: Shape[];
  bars: { name: string; ends: [number, number]; tension_only: boolean }[]; // node indices; coloured by Frames.bar_force
  springs: { name: string; ends: [Place, Place] }[];
  joints: Joint[];
  lines: { name: string; places: Place[] }[]; // pendulum rods
  rods?: Rod[]; // absent in results of older versions, which have lines in their place
  loads: Load[];
  trails: number[]; // frames whose path is drawn from the start: those that sensors name; if none, the last frame
}

// Elements one behind the other, with one section.
export interface Rod {
  name: string;
  first: number; // of its elements, among those of Frames.rod_force
  spans: 1 | 2; // between nodes, in an element
  frames: number[]; // of its nodes
  half: [number, number]; // m: how far the section goes along d1 and d2; 0: nobody knows
  round: boolean;
}

// Vectors over time, [t, x, y, z] a row; no row: zero; null: it depends on more than time, and nobody has said how.
export interface Load {
  name: string;
  place: Place;
  force?: number[][] | null;
  moment?: number[][] | null; // global axes
  torque?: number[][] | null; // in the axes of the body
  follower?: boolean; // the force is in the axes of the body
}

export interface Joint {
  name: string;
  kind: string;
  place: Place; // of the first side
  other: Place;
  axis: [number, number, number] | null; // in the axes of the first side
  symbol?: { solid: Solid; size: [number, number, number] }; // in units of the size of a node, axis along z
  bodies: [string, string];
}
export type Solid = "octahedron" | "cylinder" | "box" | "ball" | "ring" | "link"; // link: from `place` to `other`

// A piece of a rigid body, in the body's axes.
export interface Shape {
  frame: number;
  kind: "box" | "plate" | "cylinder" | "sphere" | "rod" | "ellipsoid"; // ellipsoid: a body given by its inertia alone
  size: number[]; // box: edges; plate: edges along x, y; cylinder: radius, length along z; sphere: radius; rod: length along x; ellipsoid: semi-axes
  position: [number, number, number];
  quaternion: [number, number, number, number]; // w x y z
}

export interface Frames {
  count: number;
  times: number[]; // s, doubles
  positions: Packed; // count x (nodes + bodies) x 3
  quaternions: Packed; // count x bodies x 4, w x y z
  bar_force: Packed; // count x bars [N]; empty without bars
  rod_force?: Packed; // count x rod elements x 3 [N], along d1 d2 d3 of the section
  rod_moment?: Packed; // count x rod elements x 3 [N m], about them
}

export interface TimePlot {
  id: string; // "energy", "residual", "momentum-linear", "constraint-errors", "beta", "iterations", "sensor:tip height", "angles", "bars" ...
  title: string; // "Energy"
  unit: string; // "J"; "" for counts
  y: "linear" | "log"; // log: absolute values, zeros are gaps
  stacked: boolean; // the energy ledger: filled areas on each other; curves with `line: true` are drawn over them
  times: Packed; // s; at most about 2000 points: of each bucket of samples the smallest and the largest value in order of time
  curves: { name: string; values: Packed; line?: boolean }[];
  shown: boolean; // at first; others wait folded in a list ("chosen coordinates")
}

export interface Table {
  title: string;
  headings: string[];
  rows: (string | number | null)[][]; // numbers are shown in full on hover
  verdicts?: ("good" | "bad" | "none")[]; // one for each row: colour and sign
  note?: string;
}

export interface Figure {
  title: string;
  x: { label: string; log: boolean };
  y: { label: string; log: boolean; range?: [number, number] };
  map: boolean; // a place, not a graph: x and y to the same scale
  curves: { name: string; xs: Packed; ys: Packed; dots: boolean }[];
  group: string; // heading it stands under
}

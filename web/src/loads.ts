// Loads as they act at a time: forces are arrows of their direction and size, moments arcs about theirs.
import { type BufferGeometry, ConeGeometry, type Matrix4, TorusGeometry } from "three";
import type { Load, Place } from "./data";
import { alongZ, compose, reachOf, turnTo, unitBall, unitCylinder } from "./solids";
import { indexBefore, type Motion, rotate, type Vec } from "./unpack";

export const loadColour = "#6f2da8";

// Between two rows of [t, x, y, z]; held at the ends.
function vectorAt(rows: number[][], t: number): Vec {
  if (!rows.length) return [0, 0, 0];
  const times = rows.map((r) => r[0]);
  const i = indexBefore(times, t);
  const j = Math.min(i + 1, rows.length - 1);
  const gap = times[j] - times[i];
  const s = gap > 0 ? Math.min(1, Math.max(0, (t - times[i]) / gap)) : 0;
  return [1, 2, 3].map((k) => rows[i][k] + s * (rows[j][k] - rows[i][k])) as Vec;
}

const size = (v: Vec): number => Math.hypot(v[0], v[1], v[2]);

const largestOf = (rows: number[][]): number => Math.max(0, ...rows.map(([, x, y, z]) => Math.hypot(x, y, z)));

interface Arrow {
  load: Load;
  kind: "force" | "moment";
  full: number; // the largest of its kind in the model
  now: (motion: Motion, t: number) => Vec; // global axes
}

// One for each force and each moment. `unknown`: loads of which nobody has said how they act.
function arrowsOf(loads: Load[]): { arrows: Arrow[]; unknown: Load[] } {
  const arrows: Arrow[] = [];
  const unknown: Load[] = [];
  for (const load of loads) {
    const add = (kind: Arrow["kind"], rows: number[][] | null | undefined, turns: boolean): void => {
      const most = rows ? largestOf(rows) : 0;
      if (!rows || !(most > 0)) return;
      arrows.push({
        load,
        kind,
        full: most,
        now: (motion, t) => {
          const v = vectorAt(rows, t);
          return turns && load.place.frame >= motion.nodes ? rotate(motion.rotation(load.place.frame), v) : v;
        },
      });
    };
    add("force", load.force, load.follower ?? false);
    add("moment", load.moment, false);
    add("moment", load.torque, true);
    if ([load.force, load.moment, load.torque].some((rows) => rows === null || rows === undefined)) unknown.push(load);
  }
  for (const kind of ["force", "moment"]) {
    const these = arrows.filter((a) => a.kind === kind);
    const full = Math.max(...these.map((a) => a.full));
    for (const arrow of these) arrow.full = full;
  }
  return { arrows, unknown };
}

// How far what acts on the middle of a body or rod stays off it, so as to be seen.
function clearance(motion: Motion, { frame, point }: Place): number {
  if (point.some((x) => x !== 0)) return 0;
  const { rods, shapes } = motion.scene;
  const tubes = (rods ?? []).filter((r) => r.frames.includes(frame)).map((r) => Math.max(...r.half));
  return Math.max(0, ...tubes, ...shapes.filter((h) => h.frame === frame).map((h) => 0.6 * reachOf(h)));
}

interface LoadPart {
  geometry: BufferGeometry;
  count: number;
  part: { label: (i: number) => string; frame: (i: number) => number; pose: (i: number, out: Matrix4) => void };
}

// Forces push with their tip at the place they act on, moments are arcs about it; nothing is drawn where there is none. A load of
// which only formulas know how it acts is a ball there. `unit`: m, what small things are drawn by.
export function loadParts(motion: Motion, unit: number, time: () => number): LoadPart[] {
  const { arrows, unknown } = arrowsOf(motion.scene.loads);
  const parts: LoadPart[] = [];
  const add = (kind: Arrow["kind"], geometry: BufferGeometry, scale: (length: number, clear: number) => Vec): void => {
    const these = arrows.filter((a) => a.kind === kind);
    const clear = these.map((a) => clearance(motion, a.load.place));
    const pose = (i: number, out: Matrix4): void => {
      const v = these[i].now(motion, time());
      const most = size(v);
      const share = most / these[i].full;
      const back = kind === "force" && most > 0 ? clear[i] / most : 0;
      const at = motion.place(these[i].load.place).map((x, j) => x - back * v[j]) as Vec;
      compose(out, at, turnTo(v), share > 1e-3 ? scale((3 + 7 * share) * unit, clear[i]) : [0, 0, 0]);
    };
    parts.push({ geometry, count: these.length, part: { label: (i) => `${these[i].load.name} (${kind})`, frame: () => -1, pose } });
  };
  // Tips at the origin; the head of an arrow keeps its size, whatever the length.
  add("force", alongZ(new ConeGeometry(1, 1, 16)).translate(0, 0, -0.5), () => [0.9 * unit, 0.9 * unit, 2.2 * unit]);
  add("force", unitCylinder(10).translate(0, 0, -0.5), (length) => [0.3 * unit, 0.3 * unit, length]);
  const arc = 1.5 * Math.PI;
  const radius = (length: number, clear: number): Vec => new Array<number>(3).fill(0.45 * length + clear) as Vec;
  add("moment", new TorusGeometry(1, 0.09, 8, 36, arc), radius);
  add("moment", new ConeGeometry(0.24, 0.5, 14).rotateZ(arc).translate(Math.cos(arc), Math.sin(arc), 0), radius);
  const balls = unknown.map((load) => Math.max(0.7 * unit, 1.2 * clearance(motion, load.place)));
  parts.push({
    geometry: unitBall(unknown.length),
    count: unknown.length,
    part: {
      label: (i) => `${unknown[i].name} (load by formula)`,
      frame: () => -1,
      pose: (i, out) => compose(out, motion.place(unknown[i].place), [1, 0, 0, 0], [balls[i], balls[i], balls[i]]),
    },
  });
  return parts;
}

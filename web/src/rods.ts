// Rods as tubes of their section, along the curve that their nodes give, and what they carry as colours.
import type { Matrix4 } from "three";
import type { Rod } from "./data";
import { compose, lay } from "./solids";
import { between, type Motion, rotate, type Vec } from "./unpack";

export const carriedByRods = ["bending moment", "axial force", "shear force", "torque"] as const;
export type Carried = (typeof carriedByRods)[number];
export const unitOf = (what: Carried): string => (what.endsWith("force") ? "N" : "N m");
export const hasSign = (what: Carried): boolean => what === "axial force" || what === "torque";

// Of an element: its force and moment, each along d1 d2 d3, from `at` on.
function carried(what: Carried, force: ArrayLike<number>, moment: ArrayLike<number>, at: number): number {
  switch (what) {
    case "axial force":
      return force[at + 2];
    case "shear force":
      return Math.hypot(force[at], force[at + 1]);
    case "torque":
      return moment[at + 2];
    case "bending moment":
      return Math.hypot(moment[at], moment[at + 1]);
  }
}

// The largest over the whole run.
export function largestCarried(motion: Motion, what: Carried): number {
  let most = 0;
  for (let at = 0; at < motion.rodForces.length; at += 3) {
    const x = Math.abs(carried(what, motion.rodForces, motion.rodMoments, at));
    if (x > most) most = x;
  }
  return most;
}

// A piece of a rod, between two nodes.
export interface Piece {
  rod: Rod;
  element: number;
  from: number; // frames
  to: number;
  begin: number; // share of the way
  end: number;
}

// Enough of them to look smooth, and few enough to draw thousands of elements.
export function piecesOf(rods: Rod[], most = 4000): Piece[] {
  const spans = rods.reduce((sum, r) => sum + r.frames.length - 1, 0);
  const cut = Math.max(1, Math.min(8, Math.floor(most / Math.max(1, spans))));
  const pieces: Piece[] = [];
  for (const rod of rods)
    for (let i = 0; i + 1 < rod.frames.length; ++i)
      for (let k = 0; k < cut; ++k)
        pieces.push({ rod, element: rod.first + Math.floor(i / rod.spans), from: rod.frames[i], to: rod.frames[i + 1], begin: k / cut, end: (k + 1) / cut });
  return pieces;
}

// Hermite's cubic along the axes d3 at both ends; of an arc of a circle it has the length.
function along(motion: Motion, { from, to }: Piece, s: number): Vec {
  const [a, b] = [motion.position(from), motion.position(to)];
  if (s <= 0) return a;
  if (s >= 1) return b;
  const [u, v] = [rotate(motion.rotation(from), [0, 0, 1]), rotate(motion.rotation(to), [0, 0, 1])];
  const half = 0.5 * Math.acos(Math.max(-1, Math.min(1, u[0] * v[0] + u[1] * v[1] + u[2] * v[2])));
  const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) * (half > 1e-6 ? half / Math.sin(half) : 1);
  const [h0, h1, g0, g1] = [(1 + 2 * s) * (1 - s) ** 2, s * s * (3 - 2 * s), s * (1 - s) ** 2, s * s * (s - 1)];
  return [0, 1, 2].map((k) => h0 * a[k] + h1 * b[k] + length * (g0 * u[k] + g1 * v[k])) as Vec;
}

// `least`: m, below which a section is not seen; its proportions stay.
export function halfEdgesOf(rod: Rod, least: number): [number, number] {
  const [a, b] = rod.half;
  const big = Math.max(a, b);
  if (!(big > 0)) return [least, least];
  const grow = Math.max(1, least / big);
  return [Math.max(a * grow, 0.12 * big * grow), Math.max(b * grow, 0.12 * big * grow)];
}

export function poseOf(motion: Motion, piece: Piece, half: [number, number], out: Matrix4): void {
  const [a, b] = [along(motion, piece, piece.begin), along(motion, piece, piece.end)];
  if (piece.rod.round) {
    lay(out, a, b, half[0]);
    return;
  }
  const turn = between(motion.rotation(piece.from), motion.rotation(piece.to), (piece.begin + piece.end) / 2);
  const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  compose(out, [0, 1, 2].map((k) => (a[k] + b[k]) / 2) as Vec, turn, [2 * half[0], 2 * half[1], 1.01 * length]);
}

// From -1 to 1, of the largest.
export const shareOf = (motion: Motion, what: Carried, element: number, largest: number): number =>
  carried(what, motion.rodForce, motion.rodMoment, 3 * element) / (largest || 1);

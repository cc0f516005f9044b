// Packed rows of the contract, and where everything is at a time between two frames.
import type { Frames, Packed, Place, Run, Scene } from "./data";

export function unpack(text: Packed): Float32Array {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
}

export type Vec = [number, number, number];
export type Quat = [number, number, number, number]; // w x y z

// Index of the last entry not after `t`; 0 if all are after it.
export function indexBefore(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (times[mid] <= t) low = mid;
    else high = mid - 1;
  }
  return low;
}

export function rotate(q: Quat, v: ArrayLike<number>): Vec {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

export function multiply(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

// The motion of one run: unpacked frames, and the configuration at one time, which `at` fills in place.
export class Motion {
  readonly nodes: number;
  readonly count: number; // of frames of reference: nodes, then bodies
  times: number[] = [];
  positions: Float32Array = new Float32Array();
  quaternions: Float32Array = new Float32Array();
  forces: Float32Array = new Float32Array();
  rodForces: Float32Array = new Float32Array();
  rodMoments: Float32Array = new Float32Array();
  largestForce = 0;

  // The configuration at the time asked for last.
  readonly x: Float64Array;
  readonly q: Float64Array;
  readonly force: Float64Array;
  readonly rodForce: Float64Array; // 3 numbers an element
  readonly rodMoment: Float64Array;
  index = 0; // of the frame before that time
  exaggeration = 1; // of what is away from rest
  private rest: Float32Array = new Float32Array(); // positions, then quaternions: the first frame, or the middle of a vibration

  constructor(readonly scene: Scene, frames: Frames, private readonly vibrates = false) {
    this.nodes = scene.nodes.length;
    this.count = this.nodes + scene.bodies.length;
    this.x = new Float64Array(3 * this.count);
    this.q = new Float64Array(4 * scene.bodies.length);
    this.force = new Float64Array(scene.bars.length);
    const elements = Math.max(0, ...(scene.rods ?? []).map((r) => r.first + (r.frames.length - 1) / r.spans));
    this.rodForce = new Float64Array(3 * elements);
    this.rodMoment = new Float64Array(3 * elements);
    this.take(frames);
  }

  take(frames: Frames): void {
    this.times = frames.times.slice(0, frames.count);
    this.positions = unpack(frames.positions);
    this.quaternions = unpack(frames.quaternions);
    this.forces = unpack(frames.bar_force);
    this.rodForces = unpack(frames.rod_force ?? "");
    this.rodMoments = unpack(frames.rod_moment ?? "");
    this.rest = Float32Array.of(...this.middleOf(this.positions, 3 * this.count), ...this.middleOf(this.quaternions, this.q.length));
    this.largestForce = 0;
    for (const f of this.forces) if (Math.abs(f) > this.largestForce) this.largestForce = Math.abs(f);
  }

  get start(): number {
    return this.times[0] ?? 0;
  }
  get end(): number {
    return this.times[this.times.length - 1] ?? 0;
  }

  at(t: number): void {
    const i = indexBefore(this.times, t);
    const j = Math.min(i + 1, this.times.length - 1);
    const gap = this.times[j] - this.times[i];
    const s = gap > 0 ? Math.min(1, Math.max(0, (t - this.times[i]) / gap)) : 0;
    this.index = i;
    blend(this.x, this.positions, i, j, s);
    blend(this.force, this.forces, i, j, s);
    if (this.rodForces.length) blend(this.rodForce, this.rodForces, i, j, s);
    if (this.rodMoments.length) blend(this.rodMoment, this.rodMoments, i, j, s);
    for (let b = 0; b < this.q.length; b += 4) slerp(this.q, this.quaternions, b, i * this.q.length, j * this.q.length, s);
    if (this.exaggeration !== 1) this.exaggerate();
  }

  private middleOf(rows: Float32Array, n: number): Float32Array {
    const frames = this.vibrates ? this.times.length - 1 : 1; // the last of a period is the first again
    return Float32Array.from({ length: n }, (_, k) => {
      let sum = 0;
      for (let i = 0; i < frames; ++i) sum += rows[i * n + k];
      return sum / frames;
    });
  }

  // All of the frames, as they are drawn.
  pathOf(frame: number): Float32Array {
    const [n, first] = [3 * this.count, 3 * frame];
    return Float32Array.from({ length: 3 * this.times.length }, (_, i) => {
      const start = this.rest[first + (i % 3)];
      return start + this.exaggeration * (this.positions[n * Math.floor(i / 3) + first + (i % 3)] - start);
    });
  }

  private exaggerate(): void {
    const [k, places] = [this.exaggeration, this.x.length];
    for (let i = 0; i < places; ++i) this.x[i] = this.rest[i] + k * (this.x[i] - this.rest[i]);
    for (let b = 0; b < this.q.length; b += 4) {
      const norm = Math.hypot(...this.rest.subarray(places + b, places + b + 4)) || 1;
      const [w, x, y, z] = this.rest.subarray(places + b, places + b + 4).map((c) => c / norm);
      const turn = multiply([this.q[b], this.q[b + 1], this.q[b + 2], this.q[b + 3]], [w, -x, -y, -z]); // from rest to now
      const sign = turn[0] < 0 ? -1 : 1;
      const sine = Math.hypot(turn[1], turn[2], turn[3]);
      const half = k * Math.atan2(sine, sign * turn[0]);
      const scale = sine > 0 ? (sign * Math.sin(half)) / sine : 0;
      this.q.set(multiply([Math.cos(half), scale * turn[1], scale * turn[2], scale * turn[3]], [w, x, y, z]), b);
    }
  }

  position(frame: number): Vec {
    return [this.x[3 * frame], this.x[3 * frame + 1], this.x[3 * frame + 2]];
  }

  rotation(frame: number): Quat {
    const b = 4 * (frame - this.nodes);
    return b < 0 ? [1, 0, 0, 0] : [this.q[b], this.q[b + 1], this.q[b + 2], this.q[b + 3]];
  }

  place(p: Place): Vec {
    if (p.frame < 0) return p.point;
    const arm = p.frame < this.nodes ? p.point : rotate(this.rotation(p.frame), p.point);
    const x = 3 * p.frame;
    return [this.x[x] + arm[0], this.x[x + 1] + arm[1], this.x[x + 2] + arm[2]];
  }

  name(frame: number): string {
    return frame < this.nodes ? this.scene.nodes[frame] : this.scene.bodies[frame - this.nodes];
  }

  find(name: string): number {
    const b = this.scene.bodies.indexOf(name);
    return b >= 0 ? this.nodes + b : this.scene.nodes.indexOf(name);
  }
}

export const motionOf = (run: Run, vibrates = false): Motion => new Motion(run.scene, run.frames, vibrates);

function blend(out: Float64Array, rows: Float32Array, i: number, j: number, s: number): void {
  const n = out.length;
  for (let k = 0; k < n; ++k) {
    const a = rows[i * n + k];
    out[k] = a + s * (rows[j * n + k] - a);
  }
}

export function between(a: Quat, b: Quat, s: number): Quat {
  const out = new Float64Array(4);
  slerp(out, Float32Array.from([...a, ...b]), 0, 0, 4, s);
  return [out[0], out[1], out[2], out[3]];
}

function slerp(out: Float64Array, rows: Float32Array, b: number, i: number, j: number, s: number): void {
  let dot = 0;
  for (let k = 0; k < 4; ++k) dot += rows[i + b + k] * rows[j + b + k];
  const sign = dot < 0 ? -1 : 1; // q and -q turn alike: take the short way
  dot = Math.min(1, Math.abs(dot));
  let from = 1 - s;
  let to = s;
  if (dot < 0.9999) {
    const angle = Math.acos(dot);
    from = Math.sin((1 - s) * angle) / Math.sin(angle);
    to = Math.sin(s * angle) / Math.sin(angle);
  }
  let norm = 0;
  for (let k = 0; k < 4; ++k) {
    const v = from * rows[i + b + k] + sign * to * rows[j + b + k];
    out[b + k] = v;
    norm += v * v;
  }
  norm = Math.sqrt(norm) || 1;
  for (let k = 0; k < 4; ++k) out[b + k] /= norm;
}

// The camera goes along with a node or body, with the whole model, or with nothing.
import { type Box, boundsOf } from "./bounds";
import type { Motion, Vec } from "./unpack";

export type Followed = number | "model" | null;

export class Follower {
  private followed: Followed = null;
  private at: Vec | null = null;

  constructor(private readonly motion: Motion) {}

  get on(): boolean {
    return this.followed !== null;
  }

  follow(followed: Followed): void {
    this.followed = followed;
    this.at = null;
  }

  // How far it has gone since it was asked last.
  step(): Vec | null {
    const now = this.place();
    const way = now && this.at ? (now.map((x, k) => x - (this.at as Vec)[k]) as Vec) : null;
    this.at = now;
    return way?.every(Number.isFinite) ? way : null;
  }

  // The box of the start, about where the model is at `time`.
  box(time: number): Box {
    const m = this.motion;
    const { low, high } = boundsOf(m);
    m.at(m.start);
    const first = this.place();
    m.at(time);
    const now = this.place();
    const moved = (x: Vec): Vec => (first && now ? (x.map((c, k) => c + now[k] - first[k]) as Vec) : x);
    return { low: moved(low), high: moved(high) };
  }

  private place(): Vec | null {
    const m = this.motion;
    if (typeof this.followed === "number") return m.position(this.followed);
    if (this.followed === null || !m.count) return null;
    const sum: Vec = [0, 0, 0];
    for (let f = 0; f < m.count; ++f) for (let k = 0; k < 3; ++k) sum[k] += m.x[3 * f + k];
    return sum.map((x) => x / m.count) as Vec;
  }
}

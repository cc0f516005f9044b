// Where the model is: the box it moves in, and which way is up.
import type { Run } from "./data";
import { halfEdges } from "./solids";
import { type Motion, multiply, rotate, type Vec } from "./unpack";

export type Box = { low: Vec; high: Vec };

export const length = (v: ArrayLike<number>): number => Math.hypot(v[0], v[1], v[2]);

export const diagonalOf = ({ low, high }: Box): Vec => [high[0] - low[0], high[1] - low[1], high[2] - low[2]];

// Up is against gravity where it points along an axis, else z; in a plane, the second of its axes.
export function upOf(run: Run): Vec {
  const { gravity, plane } = run.scene;
  const g = length(gravity);
  for (let k = 0; k < 3 && g > 0; ++k) {
    const up: Vec = [0, 0, 0];
    up[k] = -Math.sign(gravity[k]);
    if (Math.abs(gravity[k]) > 0.999 * g && (!plane || "xyz"[k] === plane[0] || "xyz"[k] === plane[1])) return up;
  }
  return plane === "xy" ? [0, 1, 0] : [0, 0, 1];
}

// Of the motion of the first run if it stays near where it began; else of its start, and it `leaves`. Shapes count as the boxes they
// lie in, rods as their nodes.
// `small`: nothing goes further than a tenth of the model, or turns by more than a third of a right angle.
export function boundsOf(m: Motion): Box & { leaves: boolean; small: boolean } {
  const scene = m.scene;
  const shapes = scene.shapes.filter((h) => h.frame >= m.nodes);
  const halves = shapes.map(halfEdges);
  m.at(m.start);
  const begin = m.x.slice();
  const upright = m.q.slice();
  let [furthest, turned] = [0, 0];
  const over = (times: number[]): Box => {
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
      for (let f = 0; f < m.count; ++f) {
        const x = m.position(f);
        take(x);
        furthest = Math.max(furthest, Math.hypot(x[0] - begin[3 * f], x[1] - begin[3 * f + 1], x[2] - begin[3 * f + 2]));
      }
      for (let b = 0; b < m.q.length; b += 4) {
        const half = Math.abs(m.q[b] * upright[b] + m.q[b + 1] * upright[b + 1] + m.q[b + 2] * upright[b + 2] + m.q[b + 3] * upright[b + 3]);
        turned = Math.max(turned, 2 * Math.acos(Math.min(1, half)));
      }
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
  const extent = (b: Box): number => Math.hypot(...b.low.map((l, k) => b.high[k] - l));
  const start = over([m.start]);
  const looks = Math.min(m.times.length, Math.max(2, Math.floor(40000 / Math.max(1, m.count))), 200);
  const whole = over(m.times.filter((_, i) => i % Math.ceil(m.times.length / looks) === 0));
  const size = Math.max(extent(start), scene.size);
  const leaves = extent(whole) > 2.5 * size;
  const box = leaves ? start : whole;
  const room = extent(box) > 0 ? 0 : (scene.size || 1) / 2;
  return { leaves, small: furthest > 0 && furthest < 0.1 * size && turned < Math.PI / 6, low: box.low.map((l) => l - room) as Vec, high: box.high.map((h) => h + room) as Vec };
}

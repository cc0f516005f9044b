// Curves as signals: their value at a time, one against another, their spectrum.
import { indexBefore } from "./unpack";

export interface Signal {
  name: string;
  unit: string;
  times: ArrayLike<number>;
  values: ArrayLike<number>; // NaN: a gap
}

export function valueAt({ times, values }: Signal, t: number): number {
  if (!times.length || t < times[0] || t > times[times.length - 1]) return NaN;
  const i = indexBefore(times, t);
  const j = Math.min(i + 1, times.length - 1);
  const gap = times[j] - times[i];
  return gap > 0 ? values[i] + ((t - times[i]) / gap) * (values[j] - values[i]) : values[i];
}

// One over the other, at the times that one of them has; with a period at its multiples alone: a section after Poincaré.
export function against(x: Signal, y: Signal, period = 0): { xs: Float32Array; ys: Float32Array } {
  let times = Array.from(x.times.length >= y.times.length ? x.times : y.times);
  if (period > 0 && times.length) {
    const count = Math.min(100_000, Math.floor((times[times.length - 1] - times[0]) / period) + 1);
    times = Array.from({ length: count }, (_, k) => times[0] + k * period);
  }
  return { xs: Float32Array.from(times, (t) => valueAt(x, t)), ys: Float32Array.from(times, (t) => valueAt(y, t)) };
}

// In place, of a length that is a power of two: Cooley and Tukey's.
function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; ++k) {
      const [c, s] = [Math.cos((-2 * Math.PI * k) / size), Math.sin((-2 * Math.PI * k) / size)];
      for (let i = k; i < n; i += size) {
        const a = i + half;
        const [x, y] = [re[a] * c - im[a] * s, re[a] * s + im[a] * c];
        re[a] = re[i] - x;
        im[a] = im[i] - y;
        re[i] += x;
        im[i] += y;
      }
    }
  }
}

// Amplitudes over frequency [Hz] of what varies about the mean, through Hann's window: a sine of amplitude 1 has a peak of 1. Times
// that are not even, or thinned, are taken at even ones; as many as there are, so that nothing is made up above their frequency.
export function spectrum(signal: Signal): { xs: Float32Array; ys: Float32Array } {
  const none = { xs: new Float32Array(), ys: new Float32Array() };
  const { times } = signal;
  if (times.length < 8) return none;
  const [start, span] = [times[0], times[times.length - 1] - times[0]];
  let n = 8;
  while (2 * n <= times.length) n *= 2;
  const even = Float64Array.from({ length: n }, (_, i) => valueAt(signal, start + (span * i) / n));
  const good = even.filter(Number.isFinite);
  if (!(span > 0) || !good.length) return none;
  const mean = good.reduce((a, b) => a + b, 0) / good.length;
  const room = 4 * n; // zeros behind it: a finer look at the same peaks
  const [re, im] = [new Float64Array(room), new Float64Array(room)];
  for (let i = 0; i < n; ++i) re[i] = (Number.isFinite(even[i]) ? even[i] - mean : 0) * (1 - Math.cos((2 * Math.PI * i) / n));
  transform(re, im);
  const half = room / 2;
  return {
    xs: Float32Array.from({ length: half }, (_, k) => (k * n) / (room * span)),
    ys: Float32Array.from({ length: half }, (_, k) => (2 * Math.hypot(re[k], im[k])) / n),
  };
}

export function peakOf({ xs, ys }: { xs: Float32Array; ys: Float32Array }): number {
  let best = 0;
  for (let k = 1; k < ys.length; ++k) if (ys[k] > ys[best]) best = k;
  return xs[best] ?? NaN;
}

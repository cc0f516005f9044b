// Pages as the tool would write them, made from closed formulas: what is shown can be compared with what was put in.
import { readFileSync, writeFileSync } from "node:fs";

export const pack = (values) => {
  const row = Float32Array.from(values);
  return Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString("base64");
};

const template = new URL("../dist/index.html", import.meta.url);

// As the C++ side does it: no `<` of the data may end the script.
export const asJson = (data) => JSON.stringify(data).replaceAll("<", "\\u003c");

export function pageText(data) {
  const text = readFileSync(template, "utf8");
  return text.split("__TROMPO_DATA__").join(asJson(data));
}

export const writePage = (path, data) => writeFileSync(path, pageText(data));

const range = (n, f) => Array.from({ length: n }, (_, i) => f(i));
const about = (axis, angle) => [Math.cos(angle / 2), ...axis.map((a) => a * Math.sin(angle / 2))];
const turn = ([w, x, y, z], v) => {
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
};
const add = (a, b) => a.map((x, i) => x + b[i]);

const emptyScene = () => ({
  nodes: [], bodies: [], fixed: [], gravity: [0, 0, -9.81], plane: "", size: 1,
  shapes: [], bars: [], springs: [], joints: [], lines: [], loads: [], trails: [],
});

export const summary = {
  status: "done",
  trompo_version: "0.1.0",
  model: { title: "Fixture", file: "fixture.toml" },
  steps: 6000,
  time: { end: 30, wall_seconds: 1.2345678901234567 },
  scheme: { name: "energy-momentum-exact", parameters: { rho_infinity: 1, constraint_gradient: "secant" } },
  energy: {
    scale: 1423.9876543210123,
    total: { initial: 812.3456789012345, final: 799.1234567890123, min: 799.1234567890123, max: 812.3456789012345 },
    kinetic: { initial: 0, final: 103.25, min: 0, max: 611.6419753086421 },
    potential: { initial: 812.3456789012345, final: 695.8734567890123, min: 200.5, max: 812.3456789012345 },
    balance_residual_max: 2.0961010704922955e-13,
    balance_residual_relative: 8.81099601218179e-15,
    uncorrected_defect_max: 0,
    accounts: { load_work: 3.0000000000000004, support_work: -1.25e-7, heat: 15.222222112222222, numerical: 1e-300, events: -1 },
  },
  momentum: {
    linear: { initial: [0, 0, 0], final: [0.1, -0.2, 0.30000000000000004], drift_max: 9.14505565574167, scale: 9.161850627554996 },
    angular: { initial: [0, 0, 1], final: [0, 0, 1], drift_max: 4.518351446264654e-15, scale: 11.385829574413295 },
  },
  newton: { iterations_mean: 3.006, iterations_max: 7, retries: 2 },
  constraints: { position_max: 3.324021031811845e-16, velocity_max: 1.7391670301299028e-11 },
  solution_error: { local_max: 1.25e-6 },
  final: { "link 16": { position: [1, 2, 3], velocity: [0, 0, 0] } },
  sensors: { "tip height": { initial: -8, final: -7.2, min: -8.1, max: -3.25 } },
};

const scheme = {
  name: "energy-momentum-exact",
  parameters: { rho_infinity: 1, xi: 0, constraint_gradient: "secant" },
  claims: ["second order", "keeps energy to round-off", "keeps linear and angular momentum"],
};

function timePlots(end, points = 1500) {
  const times = range(points, (i) => (end * i) / (points - 1));
  const of = (f) => pack(times.map(f));
  const decay = (t) => Math.exp(-t / 40);
  const kinetic = (t) => 300 * decay(t) * (1 - Math.cos(2.3 * t)) + 20 * Math.sin(5 * t) ** 2;
  const gravity = (t) => -400 + 300 * decay(t) * (1 + Math.cos(2.3 * t)) * 0.6;
  const elastic = (t) => 60 * decay(t) * (1 + Math.cos(2.3 * t) ** 3) + 10;
  const heat = (t) => 500 * (1 - decay(t));
  const t = pack(times);
  const plots = [
    {
      id: "energy", title: "Energy", unit: "J", y: "linear", stacked: true, times: t, shown: true,
      curves: [
        { name: "kinetic", values: of(kinetic) },
        { name: "elastic", values: of(elastic) },
        { name: "gravity", values: of(gravity) },
        { name: "heat", values: of(heat) },
        { name: "total", values: of((s) => kinetic(s) + gravity(s) + elastic(s)), line: true },
      ],
    },
    {
      id: "residual", title: "Residual of the energy balance", unit: "J", y: "log", stacked: false, times: t, shown: true,
      curves: [{ name: "|residual|", values: of((s) => 1e-15 * (1 + 200 * s * Math.abs(Math.sin(7 * s)))) }],
    },
    {
      id: "sensor:tip height", title: "tip height", unit: "m", y: "linear", stacked: false, times: t, shown: true,
      curves: [{ name: "tip height", values: of((s) => -5 + 2 * Math.cos(1.7 * s) * decay(s)) }],
    },
    {
      id: "momentum-linear", title: "Linear momentum", unit: "kg m/s", y: "linear", stacked: false, times: t, shown: true,
      curves: ["x", "y", "z"].map((name, k) => ({ name, values: of((s) => (3 - k) * Math.sin((1 + k) * s) * decay(s)) })),
    },
    {
      id: "constraint-errors", title: "Constraint errors", unit: "m", y: "log", stacked: false, times: t, shown: true,
      curves: [
        { name: "position", values: of((s) => 1e-16 * (2 + Math.sin(s))) },
        { name: "velocity", values: of((s) => (s === 0 ? NaN : 1e-12 * (1.2 + Math.sin(3 * s)))) },
      ],
    },
    {
      id: "iterations", title: "Newton iterations", unit: "", y: "linear", stacked: false, times: t, shown: false,
      curves: [{ name: "iterations", values: of((s) => 3 + (Math.sin(11 * s) > 0.97 ? 1 : 0)) }],
    },
  ];
  for (let k = 1; k <= 12; ++k) {
    plots.push({
      id: `angle ${k}`, title: `Angle of hinge ${k}`, unit: "rad", y: "linear", stacked: false, times: t, shown: false,
      curves: [{ name: `hinge ${k}`, values: of((s) => 0.3 * Math.sin(1.7 * s - 0.2 * k)) }],
    });
  }
  return plots;
}

// Where the bodies of the chain are: the closed formula both the frames and the tests use.
export const chainLength = 0.5;
export function chainAt(t, names, swing = 0.35) {
  let top = [0, 0, 0];
  return names.map((_, i) => {
    const a = swing * Math.sin(1.7 * t - 0.12 * i) * (1 + 0.03 * i);
    const b = 0.25 * Math.sin(1.1 * t - 0.2 * i);
    const [c, s] = [Math.cos(b / 2), Math.sin(b / 2)];
    const first = about([0, 1, 0], a);
    const q = [first[0] * c - first[1] * s, first[0] * s + first[1] * c, first[2] * c + first[3] * s, first[3] * c - first[2] * s];
    const half = turn(q, [0, 0, -chainLength / 2]);
    const position = add(top, half);
    top = add(position, half);
    return { position, quaternion: q };
  });
}

function chainRun(names, { frames = 901, end = 30, swing = 0.35, label = "Chain of sixteen bodies" } = {}) {
  const scene = emptyScene();
  scene.bodies = names;
  scene.size = names.length * chainLength;
  const shape = (i) => {
    const L = chainLength;
    const quaternion = [1, 0, 0, 0];
    const position = [0, 0, 0];
    switch (i % 6) {
      case 0: return { frame: i, kind: "box", size: [0.16, 0.28, 0.86 * L], position, quaternion };
      case 1: return { frame: i, kind: "plate", size: [0.9 * L, 0.9 * L], position, quaternion: about([1, 0, 0], Math.PI / 2) };
      case 2: return { frame: i, kind: "cylinder", size: [0.12, 0.86 * L], position, quaternion };
      case 3: return { frame: i, kind: "sphere", size: [0.4 * L], position, quaternion };
      case 4: return { frame: i, kind: "rod", size: [0.95 * L], position, quaternion: about([0, 1, 0], Math.PI / 2) };
      default: return { frame: i, kind: "ellipsoid", size: [0.1, 0.2, 0.44 * L], position, quaternion };
    }
  };
  scene.shapes = names.map((_, i) => shape(i));
  const kinds = ["hinge", "ball", "universal", "hinge", "weld", "cylindrical", "hinge", "prismatic", "hinge", "planar"];
  const symbols = {
    hinge: { solid: "cylinder", size: [0.6, 0.6, 2.6] }, ball: { solid: "ball", size: [0.85, 0.85, 0.85] }, weld: { solid: "box", size: [1.3, 1.3, 1.3] },
    cylindrical: { solid: "cylinder", size: [0.45, 0.45, 4.5] }, prismatic: { solid: "box", size: [0.8, 0.8, 4] }, planar: { solid: "cylinder", size: [2, 2, 0.2] },
  }; // none of a universal joint, as in scenes of before
  scene.joints = names.map((name, i) => ({
    name: `joint ${i + 1}`, kind: kinds[i % kinds.length], axis: [0, 1, 0], symbol: symbols[kinds[i % kinds.length]],
    place: i === 0 ? { frame: -1, point: [0, 0, 0] } : { frame: i - 1, point: [0, 0, -chainLength / 2] },
    other: { frame: i, point: [0, 0, chainLength / 2] }, bodies: [i === 0 ? "ground" : names[i - 1], name],
  }));
  scene.springs = names.length < 8 ? [] : [{ name: "guy", ends: [{ frame: -1, point: [2.5, 0, -2] }, { frame: 7 % names.length, point: [0, 0, 0] }] }];
  scene.loads = names.length < 1 ? [] : [{ name: "gust", place: { frame: names.length - 1, point: [0, 0, 0] }, force: range(41, (k) => [(end * k) / 40, 6 * Math.sin(0.3 * k), 0, 0]), moment: [], torque: [] }];
  scene.trails = names.length ? [names.length - 1] : [];
  const times = range(frames, (k) => (frames > 1 ? (end * k) / (frames - 1) : 0));
  const states = times.map((t) => chainAt(t, names, swing));
  return {
    label, scheme, model: { title: label, body: names.map((name) => ({ name, mass: 1 })) }, summary: frames > 1 ? summary : null, scene,
    frames: {
      count: frames, times, bar_force: "",
      positions: pack(states.flatMap((s) => s.flatMap((b) => b.position))),
      quaternions: pack(states.flatMap((s) => s.flatMap((b) => b.quaternion))),
    },
    plots: frames > 1 ? timePlots(end) : [],
    events: frames > 1 ? [{ time: 10, text: "joint 3: stiffness 50" }, { time: 18, until: 21.5, text: "gust along x" }] : [],
  };
}

const page = (kind, title, more) => ({
  format: "trompo page", version: 1, trompo: "0.1.0", kind, title, about: [], remarks: [], runs: [], tables: [], figures: [], live: false, ...more,
});

export const links = range(16, (i) => `link ${i + 1}`);

export const chain = () =>
  page("run", "Chain of sixteen bodies", {
    runs: [chainRun(links)],
    remarks: [
      { severity: "warning", text: "joint 'joint 5' repeats what the other joints say: axis 2 left out; the motion is the same" },
      { severity: "note", text: "two steps were halved", time: 14.2 },
    ],
  });

export const model = () =>
  page("model", "Chain, before it moves", {
    runs: [chainRun(links, { frames: 1 })],
    remarks: [{ severity: "note", text: "16 bodies, 16 joints, 21 degrees of freedom" }],
  });

export const many = (n = 2000) => {
  const names = range(n, (i) => `body ${i + 1}`);
  const scene = emptyScene();
  scene.bodies = names;
  scene.size = 50;
  scene.shapes = names.map((_, i) => ({ frame: i, kind: i % 2 ? "box" : "sphere", size: i % 2 ? [0.6, 0.4, 0.3] : [0.3], position: [0, 0, 0], quaternion: [1, 0, 0, 0] }));
  scene.trails = [0];
  const frames = 60;
  const times = range(frames, (k) => k / 10);
  const side = Math.ceil(Math.sqrt(n));
  return page("run", "Two thousand bodies", {
    runs: [{
      ...chainRun(["x"], { frames: 2 }), label: "many", scene, events: [],
      frames: {
        count: frames, times, bar_force: "",
        positions: pack(times.flatMap((t) => names.flatMap((_, i) => [i % side, Math.floor(i / side), Math.sin(t + 0.1 * (i % side))]))),
        quaternions: pack(times.flatMap((t) => names.flatMap((_, i) => about([0, 0, 1], t + i)))),
      },
    }],
  });
};

// A net of bars with forces of both signs; some names are wicked.
export const wicked = ['<script>window.hacked = 1</script>', 'quote " and \' and `', "emoji 🌀 Ω <b>bold</b>", "</script><img src=x onerror=window.hacked=1>"];
export function barsAt(t, n = 8) {
  return range(n * n, (k) => {
    const [i, j] = [k % n, Math.floor(k / n)];
    const w = Math.sin((Math.PI * i) / (n - 1)) * Math.sin((Math.PI * j) / (n - 1));
    return [i, j, -0.8 * w * Math.cos(2 * t)];
  });
}
export function bars() {
  const n = 8;
  const scene = emptyScene();
  scene.nodes = range(n * n, (k) => wicked[k - 27] ?? `node ${k}`);
  scene.fixed = range(n * n, (k) => [0, n - 1, n * (n - 1), n * n - 1].includes(k));
  scene.size = 10;
  for (let j = 0; j < n; ++j) {
    for (let i = 0; i < n; ++i) {
      if (i + 1 < n) scene.bars.push({ name: `bar x ${i} ${j}`, ends: [j * n + i, j * n + i + 1], tension_only: false });
      if (j + 1 < n) scene.bars.push({ name: wicked[0], ends: [j * n + i, (j + 1) * n + i], tension_only: true });
    }
  }
  scene.trails = [27];
  const times = range(201, (k) => k / 20);
  const run = chainRun(["x"], { frames: 2, end: 10 });
  return page("run", `Net ${wicked[1]} ${wicked[3]}`, {
    remarks: wicked.map((text) => ({ severity: "warning", text })),
    runs: [{
      ...run, label: wicked[3], scene, model: { title: wicked[0], names: wicked },
      scheme: { name: wicked[2], parameters: { [wicked[0]]: wicked[1] }, claims: wicked },
      summary: { ...summary, sensors: { [wicked[0]]: { initial: 1, final: 2, min: 0, max: 3 } }, [wicked[3]]: wicked[0] },
      plots: timePlots(10).slice(0, 3).map((p, k) => ({ ...p, title: wicked[k], curves: p.curves.map((c, m) => (m ? c : { ...c, name: wicked[k + 1] })) })),
      events: [{ time: 2, text: wicked[0] }, { time: 5, until: 7, text: wicked[2] }],
      frames: {
        count: times.length, times, quaternions: "",
        positions: pack(times.flatMap((t) => barsAt(t, n).flat())),
        bar_force: pack(times.flatMap((t) => scene.bars.map((_, b) => 1250 * Math.sin(0.3 * b + 1.3 * t)))),
      },
    }],
    tables: [{ title: wicked[0], headings: [wicked[1], "number"], rows: [[wicked[3], 1.0000000000000002], [wicked[2], null]], verdicts: ["good", "bad"], note: wicked[0] }],
  });
}

// A rod that rolls up from straight: its place at a share of its length, with a load at its end that turns and one that nobody knows.
export const rolledAt = (t, s, length = 4) => {
  const k = 0.03 * t + 1e-9;
  return [Math.sin(k * s * length) / k, 0, (1 - Math.cos(k * s * length)) / k];
};
export function rolled(elements = 4) {
  const scene = emptyScene();
  const times = range(51, (k) => k / 5);
  scene.bodies = range(elements + 1, (i) => `rod.${i}`);
  Object.assign(scene, { size: 4, rods: [{ name: "rod", first: 0, spans: 1, frames: range(elements + 1, (i) => i), half: [0.15, 0.15], round: true }] });
  scene.loads = [
    { name: "push", place: { frame: elements, point: [0, 0, 0] }, force: [[0, 0, 0, 5], [10, 0, 5, 0]], moment: [], torque: [] },
    { name: "felt", place: { frame: 0, point: [0, 0, 0] }, force: null, moment: [], torque: [] },
  ];
  const turn = (t, s) => (Math.PI / 2 - 0.03 * t * s * 4) / 2;
  return page("run", "Rolled up", {
    runs: [{
      ...chainRun(["x"], { frames: 2, end: 10 }), label: "rolled", scene, events: [],
      frames: {
        count: times.length, times, bar_force: "",
        positions: pack(times.flatMap((t) => scene.bodies.flatMap((_, i) => rolledAt(t, i / elements)))),
        quaternions: pack(times.flatMap((t) => scene.bodies.flatMap((_, i) => [Math.cos(turn(t, i / elements)), 0, Math.sin(turn(t, i / elements)), 0]))),
        rod_force: pack(times.flatMap((t) => range(elements, (i) => [0, 0, i === 0 ? -80 * t : 0]).flat())),
        rod_moment: pack(times.flatMap((t) => range(elements, (i) => [4 * t * i, 0, 0]).flat())),
      },
    }],
  });
}

// Two bodies that fly off together.
export function leaving() {
  const scene = emptyScene();
  const times = range(101, (k) => k / 10);
  scene.bodies = ["a", "b"];
  Object.assign(scene, { size: 2 });
  scene.shapes = [0, 1].map((frame) => ({ frame, kind: "box", size: [0.4, 0.4, 0.4], position: [0, 0, 0], quaternion: [1, 0, 0, 0] }));
  return page("run", "Gone", {
    runs: [{
      ...chainRun(["x"], { frames: 2, end: 10 }), label: "gone", scene, events: [],
      frames: {
        count: times.length, times, bar_force: "",
        positions: pack(times.flatMap((t) => [3 * t - 0.5, t, 0, 3 * t + 0.5, t, 0])),
        quaternions: pack(times.flatMap(() => [1, 0, 0, 0, 1, 0, 0, 0])),
      },
    }],
  });
}

// A bracket that hardly moves: 1 mm, and a thousandth of a turn about x, of one metre.
export function trembling() {
  const data = leaving();
  const run = data.runs[0];
  const times = run.frames.times;
  run.scene.size = 1;
  run.frames.positions = pack(times.flatMap((t) => [0, 0, 0.001 * Math.sin(t), 1, 0, 0]));
  run.frames.quaternions = pack(times.flatMap((t) => [1, 0, 0, 0, ...about([1, 0, 0], 0.001 * 2 * Math.PI * Math.sin(t))]));
  return data;
}

// A place and its speed, of known frequency [Hz] and amplitude 2, over twenty seconds.
export const frequency = 2;
export function oscillation() {
  const run = chainRun(["x"], { frames: 2, end: 20 });
  const times = range(2000, (k) => (20 * k) / 1999);
  const w = 2 * Math.PI * frequency;
  const plot = (name, unit, f) => ({ id: `sensor:${name}`, title: name, unit, y: "linear", stacked: false, times: pack(times), curves: [{ name, values: pack(times.map(f)) }], shown: true });
  return page("run", "Oscillation", { runs: [{ ...run, events: [], plots: [plot("place", "m", (t) => 2 * Math.cos(w * t)), plot("speed", "m/s", (t) => -2 * w * Math.sin(w * t)), plot("sideways", "m", (t) => 3e-15 * Math.sin(40 * w * t)), plot("small", "m", (t) => 3e-6 * Math.sin(w * t))] }] });
}

// A plane pendulum by three schemes that drift apart.
export function compare() {
  const names = ["energy-momentum-exact", "generalized-alpha-1 (ρ∞ 0.8)", "trapezoidal"];
  const times = range(601, (k) => k / 20);
  const runs = names.map((label, i) => {
    const scene = emptyScene();
    Object.assign(scene, { nodes: ["pivot", "bob"], fixed: [true, false], gravity: [0, -9.8, 0], plane: "xy", size: 6, trails: [1] });
    scene.bars = [{ name: "rod", ends: [0, 1], tension_only: false }];
    const angle = (t) => 1.1 * Math.exp((-i * t) / 60) * Math.cos((1.8 + 0.02 * i) * t);
    return {
      label, scheme: { ...scheme, name: label }, model: { title: "pendulum" }, scene, summary, plots: timePlots(30), events: [],
      frames: {
        count: times.length, times, quaternions: "", bar_force: pack(times.map((t) => 98 + 40 * Math.cos(3.6 * t))),
        positions: pack(times.flatMap((t) => [0, 0, 0, 3 * Math.sin(angle(t)), -3 * Math.cos(angle(t)), 0])),
      },
    };
  });
  return page("compare", "Elastic pendulum, three schemes", {
    runs,
    tables: [{
      title: "Schemes compared", headings: ["scheme", "energy error", "distance to the reference [m]", "Newton iterations", "wall time [s]", "status"],
      rows: names.map((n, i) => [n, [1.3e-14, 0.213, 0.0123][i], [0.0012, 0.231, 0.0034][i], 1800 + i, 0.0123 * (i + 1), i === 1 ? "loses energy" : "done"]),
      verdicts: ["good", "bad", "none"], note: "The reference is a Dormand-Prince run to 1e-12.",
    }],
    figures: [{
      title: "Total energy", group: "Energy", map: false, x: { label: "time [s]", log: false }, y: { label: "energy [J]", log: false },
      curves: names.map((name, i) => ({ name, dots: false, xs: pack(times), ys: pack(times.map((t) => 100 * Math.exp((-i * t) / 60) + (i === 2 ? 3 * Math.sin(3 * t) : 0))) })),
    }],
  });
}

export function spectrum() {
  const h = range(200, (k) => 10 ** (-2 + (4 * k) / 199));
  const names = ["trapezoidal", "generalized-alpha (ρ∞ 0.5)", "Bathe"];
  const figure = (title, y, log, f) => ({
    title, group: "Undamped oscillator", map: false, x: { label: "h/T", log: true }, y: { label: y, log, ...(log ? {} : { range: [0, 1.05] }) },
    curves: names.map((name, i) => ({ name, dots: false, xs: pack(h), ys: pack(h.map((x) => f(x, i))) })),
  });
  return page("spectrum", "Spectral properties", {
    figures: [
      figure("Spectral radius", "ρ", false, (x, i) => (i === 0 ? 1 : 1 - (i === 1 ? 0.5 : 1) * (x * x) / (1 + x * x))),
      figure("Period error", "ΔT/T", true, (x, i) => (0.8 / (i + 1)) * x * x),
    ],
    tables: [{ title: "Schemes", headings: ["scheme", "order", "ρ∞"], rows: names.map((n, i) => [n, 2, [1, 0.5, 0][i]]) }],
  });
}

export function reproduce() {
  const s = range(400, (k) => (k * 2 * Math.PI) / 399);
  return page("reproduce", "reproduction of Krenk (2006)", {
    tables: [{
      title: "Statements", headings: ["statement", "published", "found", "verdict"],
      rows: [
        ["The energy of the conserving scheme stays constant over 1000 steps.", 1, 0.9999999999999998, "agrees"],
        ["The period error at h/T = 0.1 is 3.2 %.", 0.032, 0.0324, "agrees within the digits printed"],
        ["The damped scheme loses 12 % in ten periods.", 0.12, 0.145, "differs"],
        ["Angular momentum", null, 2.25e-14, "not stated"],
      ],
      verdicts: ["good", "good", "bad", "none"],
    }],
    figures: [
      { title: "Orbit", group: "Figure 3", map: true, x: { label: "x [m]", log: false }, y: { label: "y [m]", log: false },
        curves: [
          { name: "found", dots: false, xs: pack(s.map((a) => 2 * Math.cos(a))), ys: pack(s.map((a) => Math.sin(a) + 0.3 * Math.sin(3 * a))) },
          { name: "published", dots: true, xs: pack(s.filter((_, i) => i % 25 === 0).map((a) => 2 * Math.cos(a))), ys: pack(s.filter((_, i) => i % 25 === 0).map((a) => Math.sin(a) + 0.3 * Math.sin(3 * a))) },
        ] },
      { title: "Energy error against step", group: "Figure 4", map: false, x: { label: "step [s]", log: true }, y: { label: "relative energy error", log: true },
        curves: [
          { name: "slope 2", dots: false, xs: pack([1e-3, 1]), ys: pack([1e-6, 1]) },
          { name: "found", dots: true, xs: pack([0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1]), ys: pack([1.1e-6, 9.2e-6, 1.1e-4, 9e-4, 1.2e-2, 0.08, 0.7]) },
        ] },
    ],
    remarks: [{ severity: "note", text: "2 of 3 statements hold" }],
  });
}

export const noScene = () =>
  page("run", "Duffing oscillator", { runs: [{ ...chainRun([], { label: "Duffing oscillator" }), scene: emptyScene(), events: [{ time: 10, text: "k halved" }], frames: { count: 2, times: [0, 30], positions: "", quaternions: "", bar_force: "" } }] });

export const all = { chain, model, bars, compare, spectrum, reproduce, noScene, many };

// `node tests/fixture.mjs DIR`: writes them all, to be looked at.
if (process.argv[1] && import.meta.url.endsWith(process.argv[1].split("/").pop()) && process.argv[2]) {
  for (const [name, make] of Object.entries(all)) writePage(`${process.argv[2]}/${name}.html`, make());
}

// What a run says of itself: the energy balance with all its digits, the scheme and what it claims, the resolved model.
import type { PageData, Remark, Run } from "./data";
import { el } from "./dom";
import { brief, full } from "./numbers";

type Json = Record<string, unknown>;

const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v);

function at(summary: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((v, key) => (isObject(v) ? v[key] : undefined), summary);
}

const number = (summary: unknown, path: string): number | undefined => {
  const v = at(summary, path);
  return typeof v === "number" ? v : undefined;
};

const say = (v: unknown, digits: (x: number) => string): string => {
  if (typeof v === "number") return digits(v);
  if (Array.isArray(v)) return v.map((x) => say(x, digits)).join(", ");
  return v === null || v === undefined ? "–" : typeof v === "string" ? v : JSON.stringify(v);
};

export function card(title: string, ...content: (Node | null)[]): HTMLElement {
  return el("section", { class: "card words", "aria-label": title }, el("h3", {}, title), ...content);
}

function rows(entries: (HTMLElement | null)[]): HTMLElement {
  return el("div", { class: "scroll" }, el("table", { class: "facts" }, el("tbody", {}, ...entries)));
}

function fact(name: string, value: Node | string | null): HTMLElement | null {
  return value === null ? null : el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value));
}

// One line of the balance: a sign, words, the double itself, its unit.
function entry(summary: unknown, sign: string, words: string, path: string, unit: string, kind = ""): HTMLElement | null {
  const v = at(summary, path);
  if (v === undefined) return null;
  return el(
    "tr",
    { class: kind },
    el("td", { class: "sign" }, sign),
    el("th", { scope: "row" }, words),
    el("td", { class: "number", "data-path": path }, say(v, full)),
    el("td", { class: "unit" }, unit),
  );
}

const ledgerTable = (lines: (HTMLElement | null)[]): HTMLElement =>
  el("div", { class: "scroll" }, el("table", { class: "ledger" }, el("tbody", {}, ...lines)));

export function statusWord(run: Run, live: boolean): { text: string; kind: "good" | "bad" | "busy" | "none" } {
  if (live) return { text: "running", kind: "busy" };
  const status = at(run.summary, "status");
  if (typeof status !== "string") return { text: "not run", kind: "none" };
  return { text: status, kind: status === "done" ? "good" : "bad" };
}

// The four or five numbers a reader looks for first.
export function glance(run: Run): HTMLElement | null {
  const s = run.summary;
  if (!s) return null;
  const tiles: [string, string, string][] = [];
  const residual = number(s, "energy.balance_residual_max");
  const relative = number(s, "energy.balance_residual_relative");
  if (residual !== undefined) tiles.push(["Energy balance error", `${brief(residual, 3)} J`, relative === undefined ? "" : `${brief(relative, 2)} of its scale`]);
  const lost = number(s, "energy.accounts.numerical");
  if (lost !== undefined) tiles.push(["Numerical dissipation", `${brief(lost, 4)} J`, ""]);
  const error = number(s, "constraints.position_max");
  if (error !== undefined && (error > 0 || number(s, "constraints.velocity_max") !== 0)) tiles.push(["Largest constraint error", brief(error, 2), ""]);
  const steps = number(s, "steps");
  const mean = number(s, "newton.iterations_mean");
  if (steps !== undefined) tiles.push(["Steps", brief(steps, 9), mean === undefined ? "" : `${brief(mean, 3)} Newton iterations each`]);
  const wall = number(s, "time.wall_seconds");
  if (wall !== undefined) tiles.push(["Wall time", `${brief(wall, 3)} s`, ""]);
  return el(
    "div",
    { class: "glance" },
    ...tiles.map(([name, value, more]) =>
      el("div", { class: "tile" }, el("div", { class: "tile-name" }, name), el("div", { class: "tile-value" }, value), el("div", { class: "tile-more" }, more)),
    ),
  );
}

export function remarks(list: Remark[]): HTMLElement | null {
  if (!list.length) return null;
  const signs = { error: "✗", warning: "!", note: "i" };
  const order = { error: 0, warning: 1, note: 2 };
  const items = list.map((r) =>
    el(
      "li",
      { class: `remark is-${r.severity}` },
      el("span", { class: "remark-sign", role: "img", "aria-label": r.severity }, signs[r.severity] ?? "i"),
      el("span", {}, r.text, r.time === undefined ? null : el("span", { class: "muted" }, ` (at ${brief(r.time)} s)`)),
    ),
  );
  const worst = list.reduce<Remark["severity"]>((w, r) => (order[r.severity] < order[w] ? r.severity : w), "note");
  const box = el(
    "details",
    { class: "card words remarks", open: list.length <= 6 || worst === "error" },
    el("summary", {}, el("h3", {}, `Remarks (${list.length})`)),
    el("ul", { class: "plain" }, ...items),
  );
  return box;
}

function energyBalance(run: Run): HTMLElement | null {
  const s = run.summary;
  if (!s || at(s, "energy") === undefined) return null;
  const scale = number(s, "energy.scale");
  return card(
    "Energy balance",
    ledgerTable([
      entry(s, "", "total energy at the start", "energy.total.initial", "J"),
      entry(s, "+", "work of loads", "energy.accounts.load_work", "J"),
      entry(s, "+", "work of supports and drives", "energy.accounts.support_work", "J"),
      entry(s, "−", "heat of dampers", "energy.accounts.heat", "J"),
      entry(s, "−", "numerical dissipation of the scheme", "energy.accounts.numerical", "J"),
      entry(s, "+", "brought in by events", "energy.accounts.events", "J"),
      entry(s, "=", "total energy at the end", "energy.total.final", "J", "sum"),
      entry(s, "", "energy balance error: what no account explains, max", "energy.balance_residual_max", "J", "rest"),
      entry(s, "", scale === undefined ? "relative to the scale" : `relative to the scale, ${brief(scale)} J`, "energy.balance_residual_relative", "", "rest"),
    ]),
    el("p", { class: "note" }, "Every account is computed on its own; none is what the others leave over. The scale is the largest kinetic energy plus sizes of potentials over the run."),
    extremes(
      ["energy [J]", "start", "end", "min", "max"],
      [
        ["total", at(s, "energy.total")],
        ["kinetic", at(s, "energy.kinetic")],
        ["potential", at(s, "energy.potential")],
      ],
    ),
    ledgerTable([entry(s, "", "largest defect of a step before the global correction", "energy.uncorrected_defect_max", "J")]),
  );
}

function extremes(headings: string[], list: [string, unknown][]): HTMLElement | null {
  const known = list.filter(([, v]) => isObject(v));
  if (!known.length) return null;
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: "extremes" },
      el("thead", {}, el("tr", {}, ...headings.map((h, k) => el("th", { scope: "col", class: k ? "number" : "" }, h)))),
      el(
        "tbody",
        {},
        ...known.map(([name, v]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, name),
            ...["initial", "final", "min", "max"].map((key) => {
              const x = (v as Json)[key];
              return el("td", { class: "number", title: say(x, full) }, say(x, (n) => brief(n)));
            }),
          ),
        ),
      ),
    ),
  );
}

function momentum(run: Run): HTMLElement | null {
  const s = run.summary;
  if (!s || at(s, "momentum") === undefined) return null;
  const part = (kind: string, unit: string): (HTMLElement | null)[] => [
    entry(s, "", `${kind} momentum at the start`, `momentum.${kind}.initial`, unit),
    entry(s, "", "at the end", `momentum.${kind}.final`, unit),
    entry(s, "", "largest drift from the start", `momentum.${kind}.drift_max`, unit),
    entry(s, "", "its scale", `momentum.${kind}.scale`, unit, "rest"),
  ];
  return card(
    "Momentum",
    ledgerTable([...part("linear", "kg m/s"), ...part("angular", "kg m²/s")]),
    el("p", { class: "note" }, "Gravity, supports and loads change momentum; without them the drift is the scheme's."),
  );
}

function constraints(run: Run): HTMLElement | null {
  const s = run.summary;
  if (!s || at(s, "constraints") === undefined) return null;
  return card(
    "Constraints",
    ledgerTable([
      entry(s, "", "largest constraint error", "constraints.position_max", ""),
      entry(s, "", "largest velocity-level error", "constraints.velocity_max", ""),
    ]),
  );
}

function scheme(run: Run): HTMLElement {
  const entries = Object.entries(run.scheme.parameters);
  return card(
    "Scheme",
    el("p", { class: "big" }, run.scheme.name),
    run.scheme.claims.length ? el("ul", { class: "claims" }, ...run.scheme.claims.map((c) => el("li", {}, c))) : null,
    entries.length ? rows(entries.map(([name, v]) => fact(name.replaceAll("_", " "), say(v, full)))) : null,
  );
}

function details(run: Run): HTMLElement | null {
  const s = run.summary;
  if (!s) return null;
  const text = (path: string, unit = ""): string | null => {
    const v = at(s, path);
    return v === undefined ? null : say(v, full) + unit;
  };
  return card(
    "Run details",
    rows([
      fact("status", text("status")),
      fact("model file", text("model.file")),
      fact("steps", text("steps")),
      fact("end time", text("time.end", " s")),
      fact("load factor", text("statics.load_factor")),
      fact("stable", text("statics.stable")),
      fact("limit points", text("statics.limit_points")),
      fact("wall time", text("time.wall_seconds", " s")),
      fact("Newton iterations per step", text("newton.iterations_mean")),
      fact("Newton iterations, max", text("newton.iterations_max")),
      fact("steps halved", text("newton.retries")),
      fact("computed by", text("trompo_version") === null ? null : `Trompo ${text("trompo_version")}`),
    ]),
  );
}

function parts(run: Run): HTMLElement {
  const { scene } = run;
  const count = (name: string, n: number): HTMLElement | null => (n ? fact(name, String(n)) : null);
  return card(
    "In the model",
    rows([
      count("nodes", scene.nodes.length),
      count("bodies", scene.bodies.length),
      count("bars and cables", scene.bars.length),
      count("springs", scene.springs.length),
      count("joints", scene.joints.length),
      count("loads", scene.loads.length),
      fact("gravity", `${scene.gravity.map(full).join(", ")} m/s²`),
      scene.plane ? fact("plane", scene.plane) : null,
    ]),
  );
}

function failure(run: Run): HTMLElement | null {
  const dossier = at(run.summary, "failure.dossier");
  if (at(run.summary, "failure") === undefined) return null;
  return card("Why it stopped", el("pre", {}, say(dossier ?? at(run.summary, "failure"), full)));
}

function events(run: Run): HTMLElement | null {
  if (!run.events.length) return null;
  return card(
    "Events",
    rows(run.events.map((e) => fact(`${brief(e.time)}${e.until === undefined ? "" : ` to ${brief(e.until)}`} s`, e.text))),
  );
}

function sensors(run: Run): HTMLElement | null {
  const all = at(run.summary, "sensors");
  if (!isObject(all) || !Object.keys(all).length) return null;
  const table = extremes(["sensor", "start", "end", "min", "max"], Object.entries(all));
  return table && card("Sensors", table);
}

function finalState(run: Run): HTMLElement | null {
  const all = at(run.summary, "final");
  if (!isObject(all) || !Object.keys(all).length) return null;
  const lines = Object.entries(all).flatMap(([name, v]) =>
    isObject(v) ? Object.entries(v).map(([key, x]) => fact(`${name}: ${key.replaceAll("_", " ")}`, say(x, full))) : [fact(name, say(v, full))],
  );
  return fold("State at the end", () => rows(lines));
}

// Whatever else the summary holds: nothing it says is left out.
function others(run: Run): HTMLElement | null {
  const known = ["status", "trompo_version", "model", "steps", "time", "scheme", "energy", "momentum", "newton", "constraints", "final", "sensors", "failure"];
  const lines: (HTMLElement | null)[] = [];
  const walk = (path: string, v: unknown): void => {
    if (isObject(v)) for (const [key, x] of Object.entries(v)) walk(path ? `${path}, ${key}` : key, x);
    else lines.push(fact(path.replaceAll("_", " "), say(v, full)));
  };
  for (const [key, v] of Object.entries(run.summary ?? {})) if (!known.includes(key)) walk(key, v);
  return lines.length ? card("More of the summary", rows(lines)) : null;
}

function fold(title: string, content: () => HTMLElement): HTMLElement {
  const details = el("details", { class: "card words", "data-fold": title }, el("summary", {}, el("h3", {}, title)));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(content());
  });
  return details;
}

function model(run: Run): HTMLElement {
  return fold("Resolved model", () => {
    const text = JSON.stringify(run.model, null, 2) ?? "";
    const lines = text.split("\n");
    const pre = el("pre", { tabindex: 0 }, text);
    const search = el("input", { type: "search", placeholder: "Lines with …", "aria-label": "Show only lines with this text" });
    search.addEventListener("input", () => {
      const asked = search.value.toLowerCase();
      pre.textContent = asked ? lines.filter((l) => l.toLowerCase().includes(asked)).join("\n") || "no such line" : text;
    });
    return el("div", {}, search, pre);
  });
}

export function wordsOf(run: Run): HTMLElement[] {
  const sections = [failure(run), energyBalance(run), momentum(run), constraints(run), sensors(run), scheme(run), details(run), events(run), parts(run), others(run), finalState(run), model(run)];
  return sections.filter((p): p is HTMLElement => p !== null);
}

export const kindWord = (data: PageData): string =>
  ({ model: "model, before it moves", run: "run", compare: "comparison of schemes", reproduce: "reproduction", spectrum: "spectral analysis", modes: "modes" })[data.kind];

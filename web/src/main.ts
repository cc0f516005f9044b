// Puts the page together from what the tool has written into it.
import "uplot/dist/uPlot.min.css";
import "./style/page.css";
import "./style/scene.css";
import "./style/plots.css";
import "./style/words.css";
import "./style/screens.css"; // last: it changes what the others say
import { Clock } from "./clock";
import type { PageData, Run } from "./data";
import { button, el, icon, svg } from "./dom";
import { figureGroups } from "./figures";
import { rememberInAddress } from "./link";
import { follow } from "./live";
import { Board } from "./plots";
import { hasScene, Stage } from "./scene";
import { stageTools } from "./stage_tools";
import { tableCard } from "./tables";
import { curveColour, startTheme, toggleTheme } from "./theme";
import { Timeline } from "./timeline";
import { type Motion, motionOf } from "./unpack";
import { glance, kindWord, remarks, statusWord, wordsOf } from "./words";

const keys: [string, string][] = [
  ["Space", "play, pause"],
  ["← →", "a frame back, forth (with Shift: ten)"],
  ["Home End", "start, end"],
  ["+ −", "faster, slower"],
  ["l", "start again at the end, or stop there"],
  ["f", "fit the model to the window"],
  ["x y z i", "look along an axis, from a corner; again: from the other side"],
  ["c", "the camera follows what is selected, or the model"],
  ["n", "names"],
  ["t", "light, dark"],
  ["?", "this help"],
];
const gestures: [string, string][] = [
  ["Scene", "drag turns, wheel zooms, right button moves; a click on a node or body draws its path"],
  ["Plots", "the pointer looks at a time, a click stays there; drag zooms all plots, double click goes back"],
  ["Legend", "a click hides or shows a curve"],
];

class Page {
  readonly clock = new Clock();
  stage: Stage | null = null;
  private motions: Motion[] = [];
  private timeline: Timeline | null = null;
  private board: Board | null = null;
  private active = 0; // run of plots and words
  private readonly status = el("span", { class: "chip", role: "status" });
  private readonly trouble = el("p", { class: "trouble", role: "alert", hidden: true });
  private readonly talk = el("div", { class: "talk" });
  private readonly top = el("div", { class: "top" });
  private readonly extra = el("div", { class: "extra" });
  private readonly help = this.makeHelp();
  private said = "";

  constructor(
    private data: PageData,
    private readonly root: HTMLElement,
  ) {
    document.title = `${data.title} · Trompo`;
    this.motions = data.runs.map((run) => motionOf(run, this.alone));
    this.setTimes();
    this.clock.set(data.live ? this.clock.end : this.clock.start); // a run under way shows its newest
    const drawn = data.runs.length > 0 && hasScene(data.runs[0]);
    const moves = this.clock.span > 0 || data.live;

    const main = el("main", { class: drawn ? "with-scene" : "without-scene" });
    if (moves) this.timeline = new Timeline(this.clock, data.runs[0]?.axis);
    if (drawn) {
      this.stage = new Stage(data.runs, this.motions, this.clock, this.alone);
      const panel = el("div", { class: "stage" }, this.stage.element);
      panel.append(stageTools(this.stage, data.title));
      if (data.runs.length > 1) panel.append(this.runLegend());
      main.append(el("div", { class: "left" }, panel, this.timeline?.element ?? null));
    } else if (this.timeline) main.append(this.timeline.element);
    if (moves) this.board = new Board(this.clock, data.runs.length === 1);
    main.append(
      el("div", { class: "right" }, this.top, data.runs.length > 1 && !this.alone ? this.runChoice() : null, this.board?.element ?? null, this.extra, this.talk),
    );
    root.replaceChildren(this.header(), this.trouble, main, this.footer(), this.help);
    this.fill();
    this.clock.listen(() => this.stage?.setCaption(this.timeline?.happening() ?? ""));
    document.addEventListener("keydown", (e) => this.key(e));
    window.addEventListener("beforeprint", () => this.stage?.still());
    if (data.live) follow((d) => this.grow(d), (text) => this.complain(text));
  }

  cursors(): number[] {
    return this.board?.cursors() ?? [];
  }

  private get run(): Run | undefined {
    return this.data.runs[this.active];
  }

  private setTimes(): void {
    const moving = this.motions.filter((m) => m.times.length);
    const start = moving.length ? Math.min(...moving.map((m) => m.start)) : 0;
    const end = moving.length ? Math.max(...moving.map((m) => m.end)) : 0;
    this.clock.extend(start, end);
  }

  // Everything that depends on the data; called again while a run grows.
  private fill(): void {
    const { data, run } = this;
    this.timeline?.setEvents(data.runs[0]?.events ?? [], data.remarks);
    if (run && this.board) this.board.show(run);
    const status = run ? statusWord(run, data.live) : null;
    this.status.hidden = !status || status.kind === "none";
    if (status) {
      this.status.className = `chip ${status.kind}`;
      this.status.textContent = (status.kind === "good" ? "✓ " : status.kind === "bad" ? "✗ " : "") + status.text;
    }
    const say = JSON.stringify([this.active, data.remarks, data.tables, run?.summary, run?.scheme, run?.events]);
    if (say === this.said) return;
    this.said = say;
    const open = new Set([...this.talk.querySelectorAll<HTMLDetailsElement>("details[open]")].map((d) => d.dataset.fold));
    const first = data.remarks.filter((r) => r.severity !== "note");
    const notes = data.remarks.filter((r) => r.severity === "note");
    const judged = data.kind === "compare" || data.kind === "spectrum" || (data.kind === "modes" && data.runs.length > 0);
    const about = data.about.length ? el("section", { class: "card about" }, ...data.about.map((text) => el("p", {}, text))) : null;
    const tables = data.tables.map(tableCard);
    this.top.replaceChildren(...[about, remarks(first), run ? glance(run) : null, ...(judged ? tables : [])].filter((n): n is HTMLElement => n !== null));
    this.extra.replaceChildren(...figureGroups(data.figures), ...(judged ? [] : tables));
    this.talk.replaceChildren(...(run ? wordsOf(run) : []), ...[remarks(notes)].filter((n): n is HTMLElement => n !== null));
    for (const d of this.talk.querySelectorAll("details")) if (open.has(d.dataset.fold)) d.open = true;
  }

  private grow(data: PageData): void {
    if (data.runs.length !== this.data.runs.length) {
      location.reload();
      return;
    }
    this.data = data;
    data.runs.forEach((r, i) => this.motions[i].take(r.frames));
    this.setTimes();
    this.stage?.refresh();
    this.timeline?.grown();
    this.fill();
  }

  private complain(text: string): void {
    this.trouble.hidden = !text;
    this.trouble.textContent = text;
  }

  private header(): HTMLElement {
    const { data } = this;
    const logo = svg(
      "svg",
      { viewBox: "0 0 24 24", width: 22, height: 22, class: "logo", "aria-hidden": "true" },
      svg("path", { d: "M12 2v3M5 7.5C5 6 8 5 12 5s7 1 7 2.5c0 3-4.5 7-6.2 12.2L12 22l-.8-2.3C9.5 14.500 5 10.5 5 7.500Z" }),
      svg("path", { d: "M5 7.500C5 9 8 10 12 10s7-1 7-2.500" }),
    );
    return el(
      "header",
      { class: "page-head" },
      el("div", { class: "brand" }, logo as unknown as Node, el("span", {}, "Trompo")),
      el("h1", {}, data.title),
      el("span", { class: "chip quiet" }, kindWord(data)),
      data.runs.length === 1 ? el("span", { class: "chip quiet" }, data.runs[0].scheme.name) : null,
      this.status,
      el("span", { class: "spring" }),
      el(
        "span",
        { class: "actions" },
        button("Light or dark (t)", icon("M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12"), toggleTheme),
        button("Keys and gestures (?)", "?", () => this.help.showModal()),
      ),
    );
  }

  private footer(): HTMLElement {
    return el("footer", {}, `Trompo ${this.data.trompo}. This file is complete: it asks nothing of any network.`);
  }

  // The others of a comparison, each in its own colour, to show and hide.
  // Vibrations are looked at one by one.
  private get alone(): boolean {
    return this.data.kind === "modes";
  }

  private runLegend(): HTMLElement {
    const legend = el("div", { class: "run-legend", role: "group", "aria-label": "Runs in the scene" });
    const fill = (): void =>
      legend.replaceChildren(
        ...this.data.runs.map((r, i) => {
          const box = el("input", { type: this.alone ? "radio" : "checkbox", name: "run" });
          box.checked = this.alone ? i === this.active : !hidden.has(i);
          box.addEventListener("change", () => {
            if (this.alone) {
              this.active = i;
              this.data.runs.forEach((_, k) => this.stage?.setVisible(k, k === i));
              this.fill();
              return;
            }
            if (box.checked) hidden.delete(i);
            else hidden.add(i);
            this.stage?.setVisible(i, box.checked);
          });
          const dot = el("span", { class: i ? "ghost-dot" : "ghost-dot solid", hidden: this.alone });
          if (i) dot.style.background = curveColour(i);
          return el("label", {}, box, dot, el("span", {}, r.label));
        }),
      );
    const hidden = new Set<number>();
    fill();
    return legend;
  }

  private runChoice(): HTMLElement {
    const choice = el("select", { id: "run-choice" }, ...this.data.runs.map((r, i) => el("option", { value: i }, r.label)));
    choice.addEventListener("change", () => {
      this.active = Number(choice.value);
      this.fill();
    });
    return el("p", { class: "run-choice" }, el("label", { for: "run-choice" }, "Plots and numbers of "), choice);
  }

  private makeHelp(): HTMLDialogElement {
    const list = (pairs: [string, string][], keyed: boolean): HTMLElement =>
      el("dl", {}, ...pairs.flatMap(([k, v]) => [el("dt", {}, ...k.split(" ").map((one) => el(keyed ? "kbd" : "b", {}, one))), el("dd", {}, v)]));
    const dialog = el("dialog", { class: "help", "aria-label": "Keys and gestures" }, el("h2", {}, "Keys"), list(keys, true), el("h2", {}, "Gestures"), list(gestures, false));
    dialog.append(el("button", { type: "button", click: () => dialog.close(), class: "close" }, "Close"));
    dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
    return dialog;
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented && !(e.target as HTMLElement).matches?.(".scrub")) return;
    const target = e.target as HTMLElement;
    const typing = target.matches('input[type="search"], select, textarea');
    if (typing || this.help.open) return;
    const pressing = target.matches('button, summary, input[type="checkbox"]');
    const { clock, stage, timeline } = this;
    const step = (frames: number): void => {
      const times = this.motions[0]?.times ?? [];
      const size = times.length > 1 ? clock.span / (times.length - 1) : clock.span / 100;
      clock.pause();
      clock.set(clock.time + frames * size);
    };
    const actions: Record<string, (() => void) | undefined> = {
      " ": timeline && !pressing ? () => clock.toggle() : undefined,
      ArrowLeft: timeline ? () => step(e.shiftKey ? -10 : -1) : undefined,
      ArrowRight: timeline ? () => step(e.shiftKey ? 10 : 1) : undefined,
      Home: timeline ? () => (clock.pause(), clock.set(clock.start)) : undefined,
      End: timeline ? () => (clock.pause(), clock.set(clock.end)) : undefined,
      "+": () => timeline?.faster(1),
      "=": () => timeline?.faster(1),
      "-": () => timeline?.faster(-1),
      l: () => timeline?.toggleLoop(),
      f: () => stage?.fit(),
      x: () => stage?.view("x"),
      y: () => stage?.view("y"),
      z: () => stage?.view("z"),
      i: () => stage?.view("iso"),
      c: () => stage?.toggleFollow(),
      n: () => this.root.querySelector<HTMLButtonElement>(".names-button")?.click(),
      t: () => toggleTheme(),
      "?": () => this.help.showModal(),
    };
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }
}

// What tests may ask of the page.
interface Probe {
  ready: boolean;
  readonly time: number;
  setTime(t: number): void;
  project(name: string): { x: number; y: number } | null; // CSS pixels of the page
  cursors(): number[];
  colour(name: string): string | null;
  readonly camera: Stage["cameraMatrices"] | null;
  readonly framesDrawn: number;
  readonly firstPaint: number; // ms since the page was asked for: something to read
  readonly firstScene: number; // ms: the model is drawn
  readonly playing: boolean;
}

function start(): void {
  startTheme();
  const root = document.getElementById("page");
  if (!root) return;
  let data: PageData;
  try {
    data = JSON.parse(document.getElementById("trompo-data")?.textContent ?? "") as PageData;
    if (data.format !== "trompo page" || data.version !== 1) throw new Error();
  } catch {
    root.replaceChildren(el("p", { class: "trouble" }, "This page carries no data of a run that it can read. Write it again with the same version of the tool."));
    return;
  }
  const page = new Page(data, root);
  const probe: Probe = {
    ready: false,
    get time() {
      return page.clock.time;
    },
    setTime: (t) => page.clock.set(t),
    project: (name) => page.stage?.project(name) ?? null,
    cursors: () => page.cursors(),
    colour: (name) => page.stage?.colourOf(name) ?? null,
    get camera() {
      return page.stage?.cameraMatrices ?? null;
    },
    get framesDrawn() {
      return page.stage?.framesDrawn ?? 0;
    },
    get firstPaint() {
      return performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    },
    get firstScene() {
      return page.stage?.firstPaint ?? 0;
    },
    get playing() {
      return page.clock.playing;
    },
  };
  (window as unknown as { trompo: Probe }).trompo = probe;
  // The words first, then the scene.
  requestAnimationFrame(() =>
    setTimeout(() => {
      page.stage?.begin();
      rememberInAddress(page.clock, page.stage);
      requestAnimationFrame(() => requestAnimationFrame(() => (probe.ready = true)));
    }),
  );
}

start();

// Player and time line: buttons, a slider, and marks where something happened.
import type { Clock } from "./clock";
import type { Event, Remark } from "./data";
import { button, el, icon } from "./dom";
import { brief, seconds } from "./numbers";

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const thumb = 16; // px: width of the slider's knob, which marks must respect

const playPath = "M4 2.5v11l9-5.5z";
const pausePath = "M4.5 2.5v11M11.5 2.5v11";

export class Timeline {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly now = el("output", { class: "now", "aria-live": "off" });
  private readonly marks = el("div", { class: "marks" });
  private readonly speed = el("select", { "aria-label": "Speed of playing", title: "Speed: model seconds in a second (+ and −)" });
  private readonly loop: HTMLButtonElement;
  private shownPlaying: boolean | null = null;
  private shownTime = NaN;
  private events: Event[] = [];

  // `unit` follows what the clock shows: seconds, unless something else stands in the place of time.
  constructor(
    private readonly clock: Clock,
    private readonly unit = "s",
  ) {
    this.play = button("Play (space)", icon(playPath), () => clock.toggle(), { class: "play" });
    this.slider = el("input", { type: "range", step: "any", "aria-label": "Time", class: "scrub" });
    this.slider.addEventListener("input", () => {
      clock.pause();
      clock.set(Number(this.slider.value));
    });
    // The arrow keys are the page's: by frames, not by the browser's hundredths.
    this.slider.addEventListener("keydown", (e) => {
      if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(e.key)) e.preventDefault();
    });
    for (const s of speeds) this.speed.append(el("option", { value: s }, `${s < 0.1 ? s : brief(s)}×`));
    this.speed.addEventListener("change", () => (clock.speed = Number(this.speed.value)));
    this.loop = button("Start again at the end (l)", icon("M3 8a5 5 0 0 1 8.6-3.5M13 8a5 5 0 0 1-8.6 3.5M12 1.8v3H9M4 14.2v-3h3"), () => this.toggleLoop(), {
      "aria-pressed": String(clock.looping),
      class: "loop",
    });
    this.element = el(
      "div",
      { class: "player", role: "group", "aria-label": "Player" },
      this.play,
      el("div", { class: "track" }, this.marks, this.slider),
      this.now,
      this.speed,
      this.loop,
    );
    clock.listen(() => this.show());
    new ResizeObserver(() => this.layMarks()).observe(this.marks);
    this.setSpeed(this.firstSpeed());
    this.show();
  }

  setEvents(events: Event[], remarks: Remark[]): void {
    const fromRemarks = remarks.filter((r) => r.time !== undefined).map((r): Event => ({ time: r.time as number, text: r.text }));
    this.events = [...events, ...fromRemarks].sort((a, b) => a.time - b.time);
    this.layMarks();
  }

  // What is going on at the time shown.
  happening(): string {
    const t = this.clock.time;
    const fresh = 0.04 * this.clock.span;
    return this.events
      .filter((e) => t >= e.time && t <= (e.until ?? e.time + fresh))
      .map((e) => e.text)
      .slice(-3)
      .join(" · ");
  }

  faster(factor: 1 | -1): void {
    const i = speeds.findIndex((s) => s >= this.clock.speed * 0.999);
    this.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, i + factor))]);
  }

  toggleLoop(): void {
    this.clock.looping = !this.clock.looping;
    this.loop.setAttribute("aria-pressed", String(this.clock.looping));
  }

  // Real time if that is between two seconds and two minutes, else about ten seconds in all.
  firstSpeed(): number {
    const span = this.clock.span;
    if (span >= 2 && span <= 120) return 1;
    const wish = span / 10;
    return speeds.reduce((best, s) => (Math.abs(Math.log(s / wish)) < Math.abs(Math.log(best / wish)) ? s : best), 1);
  }

  grown(): void {
    this.layMarks();
    this.show();
  }

  private setSpeed(s: number): void {
    this.clock.speed = s;
    this.speed.value = String(s);
  }

  private show(): void {
    const { clock } = this;
    if (this.shownPlaying !== clock.playing) {
      this.shownPlaying = clock.playing;
      const label = clock.playing ? "Pause (space)" : "Play (space)";
      this.play.setAttribute("aria-label", label);
      this.play.title = label;
      this.play.replaceChildren(icon(clock.playing ? pausePath : playPath));
    }
    const pixel = clock.span / Math.max(1, this.slider.clientWidth);
    if (clock.playing && (Math.abs(clock.time - this.shownTime) < pixel || !clock.onBeat)) return;
    this.shownTime = clock.time;
    this.slider.min = String(clock.start);
    this.slider.max = String(clock.end);
    this.slider.value = String(clock.time);
    this.slider.setAttribute("aria-valuetext", `${seconds(clock.time, clock.span)} ${this.unit === "s" ? "seconds" : this.unit}`);
    const done = clock.span > 0 ? (clock.time - clock.start) / clock.span : 0;
    this.slider.style.setProperty("--done", `calc(${thumb / 2}px + (100% - ${thumb}px) * ${done.toFixed(5)})`);
    this.now.textContent = `${seconds(clock.time, clock.span)} / ${seconds(clock.end, clock.span)} ${this.unit}`;
  }

  private layMarks(): void {
    const { clock } = this;
    const width = this.marks.clientWidth - thumb;
    const at = (t: number): number => thumb / 2 + (clock.span > 0 ? Math.min(1, Math.max(0, (t - clock.start) / clock.span)) : 0) * width;
    this.marks.replaceChildren();
    this.element.classList.toggle("has-events", this.events.length > 0);
    const shown = this.events.filter((e) => e.time <= clock.end).slice(0, 200);
    for (const e of shown) {
      const text = `${e.text} (${seconds(e.time, clock.span)}${e.until === undefined ? "" : `–${seconds(e.until, clock.span)}`} s)`;
      const mark = button(text, null, () => {
        clock.pause();
        clock.set(e.time);
      });
      mark.className = e.until === undefined ? "mark" : "mark lasting";
      mark.style.left = `${at(e.time)}px`;
      if (e.until !== undefined) mark.style.width = `${Math.max(2, at(e.until) - at(e.time))}px`;
      this.marks.append(mark);
    }
    // Words where they do not run into each other; the others have their marks alone.
    const free = [-Infinity, -Infinity, -Infinity];
    for (const e of shown) {
      const label = el("span", { class: "mark-text", "aria-hidden": "true" }, e.text);
      this.marks.append(label);
      const wide = label.offsetWidth;
      const left = Math.max(0, Math.min(at(e.time) + 3, this.marks.clientWidth - wide));
      const lane = free.findIndex((x) => left >= x);
      if (lane < 0 || wide > this.marks.clientWidth) {
        label.remove();
        continue;
      }
      label.style.left = `${left}px`;
      label.style.bottom = `${36 + 15 * lane}px`;
      free[lane] = left + wide + 8;
    }
    const lanes = free.filter((x) => x > 0).length;
    for (const n of [2, 3]) this.element.classList.toggle(`lanes-${n}`, lanes === n);
  }
}

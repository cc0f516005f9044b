// The one time of the page. Scene, plots and time line listen to it; each of them may set it.
import { drawnInSoftware } from "./graphics";

export class Clock {
  start = 0;
  end = 0;
  playing = false;
  looping = true;
  speed = 1;
  private pinned = 0; // what was chosen
  private peeked: number | null = null; // what the pointer looks at meanwhile
  private last = 0;
  private frame = 0;
  onBeat = true; // is this one of the moments to show numbers, cursors and the knob?
  private lastBeat = 0;
  private readonly listeners: (() => void)[] = [];

  listen(f: () => void): void {
    this.listeners.push(f);
  }

  get time(): number {
    return this.peeked ?? this.pinned;
  }

  get span(): number {
    return this.end - this.start;
  }

  set(t: number): void {
    this.pinned = this.inside(t);
    this.peeked = null;
    this.tell();
  }

  // Looks at a time without leaving the chosen one; null: back.
  peek(t: number | null): void {
    if (this.playing) return;
    const next = t === null ? null : this.inside(t);
    if (next === this.peeked) return;
    this.peeked = next;
    this.tell();
  }

  // The run has grown. Who stands at its end stays there.
  extend(start: number, end: number): void {
    const follows = this.end > this.start && this.pinned >= this.end && !this.playing;
    this.start = start;
    this.end = end;
    this.pinned = follows ? end : this.inside(this.pinned);
    this.tell();
  }

  play(): void {
    if (this.playing || this.span <= 0) return;
    this.playing = true;
    this.peeked = null;
    if (this.pinned >= this.end) this.pinned = this.start;
    this.last = performance.now();
    const tick = (now: number): void => {
      if (!this.playing) return;
      const passed = Math.min(0.25, Math.max(0, (now - this.last) / 1000)); // a hidden page does not leap
      this.last = now;
      let t = this.pinned + passed * this.speed;
      if (t >= this.end) {
        if (this.looping) t = this.start + ((t - this.start) % this.span);
        else {
          t = this.end;
          this.playing = false;
        }
      }
      this.pinned = t;
      if (this.playing) this.frame = requestAnimationFrame(tick);
      this.tell();
    };
    this.frame = requestAnimationFrame(tick);
    this.tell();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  private inside(t: number): number {
    return Math.min(this.end, Math.max(this.start, t));
  }

  // While it plays, what stands beside the scene follows a few times a second, all of it at once: painting it costs more than
  // the scene, and two paintings cost twice.
  private tell(): void {
    const now = performance.now();
    this.onBeat = !this.playing || now - this.lastBeat >= (drawnInSoftware() ? 150 : 50);
    if (this.onBeat) this.lastBeat = now;
    for (const f of this.listeners) f();
  }
}

import type { LogLine } from './job-log-store';

/** Progress is told to a thousandth. */
const PROGRESS_STEPS = 1000;

/** What a handler says while it runs: lines in order, and how far it is. */
export class RunLog {
  readonly lines: LogLine[] = [];
  progress: number | null = null;
  /** Made for the first who listens: most calls have none. */
  #listeners: Set<() => void> | undefined;
  #lastSeq: number;

  /** @param lastSeq the last line of an earlier attempt */
  constructor(lastSeq = 0) {
    this.#lastSeq = lastSeq;
  }

  /** @param message short, and storable: as attemptCall gives it */
  add(message: string): void {
    this.lines.push({ seq: ++this.#lastSeq, at: new Date().toISOString(), message });
    this.#tell();
  }

  setProgress(fraction: number): void {
    const rounded = Math.round(fraction * PROGRESS_STEPS) / PROGRESS_STEPS;
    if (rounded === this.progress) return;
    this.progress = rounded;
    this.#tell();
  }

  /** Told at every line and every progress; returns how to stop it. */
  on(tell: () => void): () => void {
    const listeners = this.#listeners ?? new Set();
    this.#listeners = listeners;
    listeners.add(tell);
    return () => listeners.delete(tell);
  }

  #tell(): void {
    for (const tell of this.#listeners ?? []) tell();
  }
}

import type { JobLine } from '../jobs/schema';

/** Progress is reported in steps of 1/1000. */
const PROGRESS_STEPS = 1000;

/** The log lines and progress of a running handler. */
export class RunLog {
  readonly lines: JobLine[] = [];
  progress: number | null = null;
  /** Created for the first listener: most calls have none. */
  #listeners: Set<() => void> | undefined;
  #lastSeq: number;

  /** @param lastSeq sequence number of the last line of an earlier attempt */
  constructor(lastSeq = 0) {
    this.#lastSeq = lastSeq;
  }

  /** @param message truncated and storable, as attemptCall passes it */
  add(message: string): void {
    this.lines.push({ seq: ++this.#lastSeq, at: new Date().toISOString(), message });
    this.#notify();
  }

  setProgress(fraction: number): void {
    const rounded = Math.round(fraction * PROGRESS_STEPS) / PROGRESS_STEPS;
    if (rounded === this.progress) return;
    this.progress = rounded;
    this.#notify();
  }

  /** Calls the listener on every line and progress change; returns a function that removes it. */
  on(listener: () => void): () => void {
    const listeners = this.#listeners ?? new Set();
    this.#listeners = listeners;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  #notify(): void {
    for (const notify of this.#listeners ?? []) notify();
  }
}

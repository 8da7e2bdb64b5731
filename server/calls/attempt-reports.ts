const MAX_LOG_LINE = 2000;
/** Lines of one attempt: they are sent, and kept with a job. */
const MAX_LOG_LINES = 1000;
const LINES_LEFT_OUT = `Further lines are left out: there were more than ${MAX_LOG_LINES}.`;

interface Listeners {
  onLog?(message: string): void;
  onProgress?(fraction: number): void;
}

interface Reports {
  log(message: unknown): void;
  progress(fraction: unknown): void;
}

/**
 * What a handler may say while it runs. Whatever it hands in, this never throws at it, and what comes after the end of
 * its attempt is dropped.
 */
export function createReports(listeners: Listeners, isOver: () => boolean): Reports {
  let lines = 0;
  return {
    log(message) {
      if (isOver() || lines > MAX_LOG_LINES) return;
      lines += 1;
      listeners.onLog?.(lines > MAX_LOG_LINES ? LINES_LEFT_OUT : lineOf(message));
    },
    progress(fraction) {
      if (isOver() || typeof fraction !== 'number' || !Number.isFinite(fraction)) return;
      listeners.onProgress?.(Math.min(1, Math.max(0, fraction)));
    },
  };
}

function lineOf(message: unknown): string {
  try {
    return storableText(String(message), MAX_LOG_LINE);
  } catch {
    return '(A line that is no text.)';
  }
}

/** The beginning of a text, without what PostgreSQL cannot hold: NUL, and halves of surrogate pairs. */
export function storableText(text: string, maxChars: number): string {
  return Buffer.from(text.slice(0, maxChars)).toString().replaceAll('\0', '\uFFFD');
}

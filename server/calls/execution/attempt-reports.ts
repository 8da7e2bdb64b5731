const MAX_LOG_LINE = 2000;
/** Log lines per attempt: they are streamed and stored with the job. */
const MAX_LOG_LINES = 1000;
const LINES_LEFT_OUT = `Further lines are left out: there were more than ${MAX_LOG_LINES}.`;

interface Listeners {
  onLog?: ((message: string) => void) | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
}

interface Reports {
  log(message: unknown): void;
  progress(fraction: unknown): void;
}

/**
 * Creates the log and progress functions of a handler. They never throw, and ignore everything
 * reported after the attempt has ended.
 */
export function createReports(listeners: Listeners, isOver: () => boolean): Reports {
  let lines = 0;
  return {
    log(message) {
      if (isOver() || lines > MAX_LOG_LINES) return;
      lines += 1;
      listeners.onLog?.(lines > MAX_LOG_LINES ? LINES_LEFT_OUT : toLogLine(message));
    },
    progress(fraction) {
      if (isOver() || typeof fraction !== 'number' || !Number.isFinite(fraction)) return;
      listeners.onProgress?.(Math.min(1, Math.max(0, fraction)));
    },
  };
}

function toLogLine(message: unknown): string {
  try {
    return toStorableText(String(message), MAX_LOG_LINE);
  } catch {
    return '(A log line that is not text.)';
  }
}

/** Truncates a text and replaces what PostgreSQL cannot store: NUL and lone surrogates. */
export function toStorableText(text: string, maxChars: number): string {
  return Buffer.from(text.slice(0, maxChars)).toString().replaceAll('\0', '\uFFFD');
}

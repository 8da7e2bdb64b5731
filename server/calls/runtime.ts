import type { FastPathBackoff } from './fast-path-backoff';
import type { CallFlush } from './flush';
import type { JobReader } from './jobs/read-job';
import type { RunningCalls } from './running-calls';

declare module '../core/runtime' {
  interface Runtime {
    readonly flush: CallFlush;
    readonly fastPathBackoff: FastPathBackoff;
    readonly running: RunningCalls;
    readonly readJob: JobReader;
  }
}

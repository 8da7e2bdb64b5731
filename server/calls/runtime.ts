import type { CallFlush } from './flush';
import type { JobReader } from './jobs/read-job';
import type { RunningCalls } from './running-calls';
import type { UnfitKeys } from './unfit-keys';

declare module '../core/runtime' {
  interface Runtime {
    readonly flush: CallFlush;
    readonly unfitKeys: UnfitKeys;
    readonly running: RunningCalls;
    readonly readJob: JobReader;
  }
}

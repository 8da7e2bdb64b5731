/** For whom a worker computes: the account of the key, whatever team pays. */
export interface WorkerCaller {
  readonly accountId: string;
  /** Made without signing up: anybody may have many of them. */
  readonly provisional: boolean;
  /** Milliseconds that workers have spent on this call. */
  spentMs: number;
}

// By its signal, which every skill passes on to its workers anyway: a skill sees no account.
const callers = new WeakMap<AbortSignal, WorkerCaller>();

/** From now on what is run in a worker with this signal is this caller's. */
export function setWorkerCaller(signal: AbortSignal, caller: WorkerCaller): void {
  callers.set(signal, caller);
}

/** The caller of a signal; undefined for what the gateway does by itself. */
export function findWorkerCaller(signal: AbortSignal): WorkerCaller | undefined {
  return callers.get(signal);
}

import type { KeyActor } from '../../core/trpc/actor';

/** The account of the gateway's own work. */
export const GATEWAY = '';

/** The account that a worker computes for: the key's account, even if a team pays. */
export interface WorkerCaller {
  readonly accountId: string;
  /** Created without signing up, so one person may have many of them. */
  readonly provisional: boolean;
  /** Milliseconds that workers have computed for this call. */
  spentMs: number;
}

/** The caller of a call that has spent nothing yet. */
export function toWorkerCaller({
  accountId,
  accountType,
}: Pick<KeyActor, 'accountId' | 'accountType'>): WorkerCaller {
  return { accountId, provisional: accountType === 'provisional', spentMs: 0 };
}

// Keyed by the signal, which every skill passes to its workers anyway: skills do not see accounts.
const callers = new WeakMap<AbortSignal, WorkerCaller>();

/** Assigns everything that workers run under this signal to a caller. */
export function setWorkerCaller(signal: AbortSignal, caller: WorkerCaller): void {
  callers.set(signal, caller);
}

/** The caller of a signal; undefined for the gateway's own work. */
export function findWorkerCaller(signal: AbortSignal): WorkerCaller | undefined {
  return callers.get(signal);
}

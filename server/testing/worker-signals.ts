import { setWorkerCaller } from '../platform/workers/worker-callers';

interface Options {
  readonly provisional?: boolean;
  readonly until?: AbortSignal;
}

/** A signal of a call of an account, by which places are shared. */
export function signalOf(accountId: string, { provisional = false, until }: Options = {}): AbortSignal {
  const signal = AbortSignal.any(until ? [until] : []);
  setWorkerCaller(signal, { accountId, provisional, spentMs: 0 });
  return signal;
}

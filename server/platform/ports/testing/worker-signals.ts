import { setWorkerCaller } from '../../workers/worker-callers';

interface Options {
  readonly provisional?: boolean;
  readonly until?: AbortSignal;
}

/** Creates the signal of a call; the worker pool shares its places by the account set on it. */
export function createCallSignal(
  accountId: string,
  { provisional = false, until }: Options = {},
): AbortSignal {
  const signal = AbortSignal.any(until ? [until] : []);
  setWorkerCaller(signal, { accountId, provisional, spentMs: 0 });
  return signal;
}

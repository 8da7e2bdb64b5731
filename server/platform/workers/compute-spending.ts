import { ComputeBudget } from './compute-budget';
import { findWorkerCaller, GATEWAY, type WorkerCaller } from './worker-callers';
import type { SlotOwner } from './worker-scheduler';

/** Next's bundle has its own copy of this module, but there is one budget per process. */
const processSingleton = globalThis as typeof globalThis & {
  __toolGatewayComputeBudget?: ComputeBudget | undefined;
};

/** Removes the computing of a charged call from its account's budget. */
export function refundCompute(caller: WorkerCaller): void {
  if (caller.spentMs > 0) getComputeBudget().spend(caller.accountId, -caller.spentMs);
}

/** Counts computing under a call's signal; it is refunded if the call is charged. */
export function spendCompute(signal: AbortSignal, ms: number): void {
  const caller = findWorkerCaller(signal);
  if (!caller) return;
  caller.spentMs += ms;
  getComputeBudget().spend(caller.accountId, ms);
}

/** The account that takes slots for work under this signal. */
export function findSlotOwner(signal: AbortSignal): SlotOwner {
  const caller = findWorkerCaller(signal);
  if (!caller) return { accountId: GATEWAY, rank: () => 'paying' };
  const { accountId, provisional } = caller;
  const rank = provisional ? 'provisional' : 'paying';
  return { accountId, rank: () => (getComputeBudget().isExceeded(accountId) ? 'overBudget' : rank) };
}

/** Forgets what every account has spent. For shutdown and tests. */
export function forgetCompute(): void {
  processSingleton.__toolGatewayComputeBudget = undefined;
}

/** The budget of all accounts in this process. */
export function getComputeBudget(): ComputeBudget {
  processSingleton.__toolGatewayComputeBudget ??= new ComputeBudget();
  return processSingleton.__toolGatewayComputeBudget;
}

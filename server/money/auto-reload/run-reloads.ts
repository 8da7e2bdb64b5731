import type { Runtime } from '../../core/runtime';
import { chargeReload } from './charge-reload';
import { openReload } from './open-reload';
import { listChargeable, listWanted } from './store';

/** Of each kind in one round; the next one goes on. */
const MAX_IN_ROUND = 100;
/** A provider that hangs holds up that many. */
const AT_ONCE = 4;

/** Charges what calls have asked for since, and brings to an end what was left open. Never throws for one of them. */
export async function runReloads(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { payments } = runtime.ports;
  if (!payments) return;
  const guarded = (what: string, act: (id: string) => Promise<unknown>) => async (id: string) => {
    try {
      await act(id);
    } catch (error) {
      runtime.log.error('reloads: one failed', { what, id, error });
    }
  };
  const open = guarded('open', (accountId) => openReload(runtime, payments, accountId));
  await inParallel(await listWanted(runtime.db, MAX_IN_ROUND), signal, open);
  const charge = guarded('charge', (orderId) => chargeReload(runtime, payments, orderId));
  await inParallel(await listChargeable(runtime.db, payments.mode, MAX_IN_ROUND), signal, charge);
}

async function inParallel(
  ids: readonly string[],
  signal: AbortSignal,
  act: (id: string) => Promise<void>,
): Promise<void> {
  const queue = [...ids];
  const work = async () => {
    for (let id = queue.shift(); id !== undefined && !signal.aborted; id = queue.shift()) await act(id);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

import type { Runtime } from '../../core/runtime';
import { chargeReload } from './charge-reload';
import { openReload } from './open-reload';
import { listChargeable, listWanted } from './store';

/** Per kind in one round; the next round continues. */
const MAX_IN_ROUND = 100;
/** Limits how many charges a hanging provider can block. */
const CONCURRENCY = 4;

/**
 * Places the reloads that calls have requested, and continues open ones. A failing reload is logged
 * and does not stop the others.
 */
export async function runReloads(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const { payments } = runtime.ports;
  if (!payments) return;
  const guarded = (what: string, act: (id: string) => Promise<unknown>) => async (id: string) => {
    try {
      await act(id);
    } catch (error) {
      runtime.log.error('reload.failed', { what, id, error });
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
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

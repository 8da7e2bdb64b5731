import { GatewayError } from '../../core/errors/gateway-error';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { usdFromMicrousd } from '../../kit/money';
import { getViewableAccount } from '../billing/choose-account';
import type { OrderStatus } from '../billing/schema';
import { findOrder, type Order } from './store';
import { type OrderState, syncOrder } from './sync-order';

/** Pages poll every second; the provider is polled less often. */
const POLL_INTERVAL_MS = 2_000;
const MAX_SNAPSHOTS = 1_000;

interface OrderSnapshot {
  at: number;
  state: OrderState;
  url: string | null;
}

/** This process's recent snapshots of open orders. */
const snapshots = new Map<string, OrderSnapshot>();

/**
 * The state of a purchase. While it is open, the provider is polled, in case no event has arrived.
 * @throws GatewayError NOT_FOUND, also for another user's order
 */
export async function getOrder(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  actor: Actor,
  orderId: string,
): Promise<OrderStatus> {
  const order = await findOrder(runtime.db, orderId);
  const account = order && (await getViewableAccount(runtime, actor, order.accountId));
  if (!order || !account) throw new GatewayError('NOT_FOUND', { message: 'There is no such purchase.' });
  const { state, url } =
    order.status === 'open' ? await pollOrder(runtime, order) : { state: order.status, url: null };
  // Read again, because the poll may have credited it.
  const now =
    state === 'open' ? account : ((await getViewableAccount(runtime, actor, account.id)) ?? account);
  const paid = state === 'paid' ? await findOrder(runtime.db, orderId) : null;
  return {
    order_id: order.id,
    status: state,
    kind: order.kind,
    credit_usd: usdFromMicrousd(order.creditsMicrousd),
    fee_usd: usdFromMicrousd(order.feeMicrousd),
    total_usd: order.totalCents / 100,
    url,
    account: { id: account.id, name: account.name, slug: account.slug },
    available_usd: usdFromMicrousd(now.available),
    payment_id: paid?.paymentId ?? null,
    created_at: order.createdAt.toISOString(),
  };
}

async function pollOrder(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  order: Order,
): Promise<OrderSnapshot> {
  const at = performance.now();
  const known = snapshots.get(order.id);
  const { payments } = runtime.ports;
  if (!payments || (known && at - known.at < POLL_INTERVAL_MS))
    return known ?? { at, state: 'open', url: null };
  const entry: OrderSnapshot = { ...(known ?? { state: 'open', url: null }), at };
  snapshots.delete(order.id);
  snapshots.set(order.id, entry);
  for (const [oldest] of snapshots) if (snapshots.size > MAX_SNAPSHOTS) snapshots.delete(oldest);
  try {
    return Object.assign(entry, await syncOrder(runtime, payments, order));
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    return entry;
  }
}

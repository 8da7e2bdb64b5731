import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import type { Payments } from '../../platform/ports/ports';
import { lockAccounts } from '../billing/ledger';
import { insertOrder, type NewOrder } from './store';

const ID_KINDS = { checkout: 'order', reload: 'reload', machine: 'topup' } as const;

/**
 * Records an order before any payment is requested. Runs in a transaction, so that the account
 * cannot be closed concurrently.
 * @param order with an id only if it was drawn before, for a challenge
 * @returns its id: `order_…`, `reload_…` or `topup_…`
 * @throws GatewayError FORBIDDEN if the account is closed
 */
export async function placeOrder(
  tx: Executor,
  { id: drawn, ...order }: Omit<NewOrder, 'id'> & { id?: string },
): Promise<string> {
  const [account] = await lockAccounts(tx, [order.accountId]);
  if (!account || account.closedAt)
    throw new GatewayError('FORBIDDEN', { message: 'This account is closed.' });
  const id = drawn ?? newId(ID_KINDS[order.kind]);
  await insertOrder(tx, { id, ...order });
  return id;
}

/**
 * The payment provider.
 * @throws GatewayError UNAVAILABLE if this gateway does not sell credit
 */
export function requirePayments({ ports }: Pick<Runtime, 'ports'>): Payments {
  if (ports.payments) return ports.payments;
  throw new GatewayError('UNAVAILABLE', {
    message: 'This gateway sells no credit.',
    hint: 'Ask the operator of this gateway for credit.',
  });
}

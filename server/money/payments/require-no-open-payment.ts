import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { hasPayableOrder } from './store';

/**
 * Checks, under the account's lock and before it is closed, that no payment is in progress: it
 * would buy nothing.
 * @throws GatewayError FORBIDDEN while a payment is in progress
 */
export async function requireNoOpenPayment(
  tx: Executor,
  { ports }: Pick<Runtime, 'ports'>,
  accountId: string,
): Promise<void> {
  if (!(await hasPayableOrder(tx, accountId, ports.payments?.mode ?? null))) return;
  throw new GatewayError('FORBIDDEN', {
    message: 'A payment for your account is still in progress.',
    hint: 'Try again in a few minutes. Some banks need up to a few days.',
  });
}

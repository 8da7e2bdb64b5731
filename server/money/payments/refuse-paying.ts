import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { hasPayableOrder } from './store';

/**
 * Before an account is closed, under its lock: what is paid afterwards would buy nothing.
 * @throws GatewayError FORBIDDEN while a payment is under way
 */
export async function refusePaying(tx: Executor, { ports }: Runtime, accountId: string): Promise<void> {
  if (!(await hasPayableOrder(tx, accountId, ports.payments?.mode ?? null))) return;
  throw new GatewayError('FORBIDDEN', {
    message: 'A payment for your account is not finished.',
    hint: 'Try again in some minutes: a bank may need longer, a few days at most.',
  });
}

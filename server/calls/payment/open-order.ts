import type { PaymentMode } from '@/db/schema/payments';
import { GatewayError } from '../../core/errors/gateway-error';
import { networkSubject } from '../../core/limits/client-subject';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import { returnToWindow, takeFromWindow } from '../../core/limits/store';
import type { RequestContext } from '../../core/trpc/context';
import { openPrepaidAccount } from '../../identity/accounts/open-prepaid-account';
import { issueKey } from '../../identity/keys/issue-key';
import { derivePaidKey } from '../../identity/keys/key-format';
import { newId } from '../../kit/ids';
import { MICROUSD_PER_CENT, type Microusd } from '../../kit/money';
import { placeOrder } from '../../money/payments/place-order';
import { findTopup, lockOffers, type TopupOfAccount } from '../../money/top-ups/store';

/** Payments of a network that were started and not completed, per hour: each is three rows. */
const UNPAID = { scope: 'paid-call', quota: 100, seconds: 3600 } as const;

/** The terms of a challenge, as an order. */
export interface CallOrder {
  orderId: string;
  credits: Microusd;
  totalCents: number;
  expiresAt: Date;
  mode: PaymentMode;
}

/**
 * Writes the order of a challenge whose payment has arrived, with the account and the key that it
 * pays into. Concurrent requests with one challenge write one.
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export async function openOrder(
  context: Pick<RequestContext, 'runtime' | 'clientIp'>,
  { orderId, credits, totalCents, expiresAt, mode }: CallOrder,
): Promise<TopupOfAccount> {
  const { db, settings } = context.runtime;
  return await db.transaction(async (tx) => {
    await lockOffers(tx, orderId);
    const there = await findTopup(tx, orderId);
    if (there) return there;
    const { taken, resetSeconds } = await takeFromWindow(tx, { ...UNPAID, subject: readSubject(context) });
    if (!taken) throw tooMany(resetSeconds);
    const accountId = newId('account');
    await openPrepaidAccount(tx, context.runtime, accountId);
    const key = derivePaidKey(settings.claimSecret, orderId);
    const { row } = await issueKey(
      tx,
      { accountId, name: 'Paid call', creditsMicrousd: null },
      { drawn: key },
    );
    await placeOrder(tx, {
      id: orderId,
      kind: 'machine',
      mode,
      accountId,
      createdBy: `key:${row.id}`,
      keyId: row.id,
      creditsMicrousd: credits,
      feeMicrousd: BigInt(totalCents) * MICROUSD_PER_CENT - credits,
      totalCents,
      expiresAt,
    });
    const written = await findTopup(tx, orderId);
    if (!written) throw new Error(`The order ${orderId} was not written`);
    return written;
  });
}

/** An order was paid: it no longer counts as unpaid. */
export async function countAsPaid(context: Pick<RequestContext, 'runtime' | 'clientIp'>): Promise<void> {
  await returnToWindow(context.runtime.db, { scope: UNPAID.scope, subject: readSubject(context) });
}

function readSubject({ runtime, clientIp }: Pick<RequestContext, 'runtime' | 'clientIp'>): string {
  return networkSubject(runtime.settings.claimSecret, clientIp);
}

function tooMany(resetSeconds: number): GatewayError {
  return new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many payments from this network were started and not completed. Nothing was charged.',
    hint: `Wait ${resetSeconds} seconds, or use a key.`,
    details: { limit: 'hour', retry_after: resetSeconds, billed: false },
    headers: rateHeaders([policy(UNPAID.scope, UNPAID.quota, UNPAID.seconds, UNPAID.quota, resetSeconds)]),
  });
}

import type { Executor } from '@/db/client';
import type { PaymentMode } from '@/db/schema/payments';
import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { formatUsd, MICROUSD_PER_CENT, type Microusd } from '../../kit/money';
import { enqueueEmail, enqueueReceipt } from '../../platform/email/enqueue-email';
import type { PaymentSnapshot } from '../../platform/ports/ports';
import { enableLowBalanceAlert, enterPayment, lockAccounts, type PaymentEntry } from '../billing/ledger';
import { computeCredit, type ImpliedCredit } from './compute-credit';
import { writeCard } from './profile-store';
import {
  clearReloadFailures,
  drawReceipt,
  findOrder,
  lockOrder,
  lockPayment,
  markDispute,
  markOrderPaid,
  type Order,
  type Payment,
  upsertPayment,
} from './store';

/** The result of applying a snapshot of the provider's objects. */
export type Applied =
  | { outcome: 'applied'; payment: Payment }
  /** Not paid yet, or failed. */
  | { outcome: 'unpaid'; status: 'pending' | 'failed' }
  /** The payment does not match its order: nothing is credited, and the operator is notified. */
  | { outcome: 'refused'; why: string };

/**
 * A snapshot of a payment's objects; `ticket` is drawn before it is fetched and orders snapshots.
 */
export interface OrderedSnapshot {
  facts: PaymentSnapshot;
  mode: PaymentMode;
  ticket: bigint;
}

/**
 * Brings the ledger to the state that a payment's objects imply, from any state: snapshots may be
 * applied in any order and repeatedly. One older than the last applied snapshot changes nothing.
 */
export async function applyPayment(
  runtime: Pick<Runtime, 'db' | 'log' | 'settings'>,
  orderId: string,
  snapshot: OrderedSnapshot,
): Promise<Applied> {
  const { facts } = snapshot;
  const applied = await runtime.db.transaction(async (tx) => {
    const locked = await lockWithAccount(tx, orderId);
    if (locked === 'moved') return null;
    if (!locked) return { outcome: 'refused', why: 'no such order' } as const;
    const { order, closed } = locked;
    if (facts.status !== 'paid') return { outcome: 'unpaid', status: facts.status } as const;
    const why = findMismatch(order, snapshot);
    if (why) {
      const details = { why, order: order.id };
      await writeAudit(tx, {
        actor: 'system:payments',
        action: 'payment.refused',
        accountId: order.accountId,
        target: facts.id,
        details,
      });
      return { outcome: 'refused', why } as const;
    }
    // The credit cannot be used; the operator may want to refund it.
    if (closed) runtime.log.warn('payment.account_closed', { paymentId: facts.id, orderId });
    return { outcome: 'applied', payment: await applyWithin(tx, runtime, order, snapshot) } as const;
  });
  if (!applied) return await applyPayment(runtime, orderId, snapshot);
  if (applied.outcome === 'refused')
    runtime.log.error('payment.order_mismatch', { paymentId: facts.id, orderId, why: applied.why });
  return applied;
}

/** Locks the account first, as everywhere. `moved`: a claim just changed the order's account. */
async function lockWithAccount(tx: Executor, orderId: string) {
  const found = await findOrder(tx, orderId);
  if (!found) return null;
  const [account] = await lockAccounts(tx, [found.accountId]);
  const order = await lockOrder(tx, orderId);
  if (order && order.accountId !== found.accountId) return 'moved';
  return order && { order, closed: account?.closedAt != null };
}

function findMismatch(order: Order, { facts, mode }: OrderedSnapshot): string | null {
  if (order.mode !== mode || facts.live !== (mode === 'live'))
    return 'its mode differs from that of the order';
  if (facts.currency !== 'usd') return `its currency is ${facts.currency}, not usd`;
  if (facts.totalCents !== order.totalCents)
    return `it is ${facts.totalCents} cents, but the order is ${order.totalCents} cents`;
  if (order.paymentId !== null && order.paymentId !== facts.id)
    return `the order was already paid by ${order.paymentId}`;
  return null;
}

async function applyWithin(
  tx: Executor,
  runtime: Pick<Runtime, 'log' | 'settings'>,
  order: Order,
  snapshot: OrderedSnapshot,
): Promise<Payment> {
  const { facts, mode, ticket } = snapshot;
  const before = await lockPayment(tx, facts.id);
  if (before && before.ticket >= ticket) return before;
  const implied = computeCredit(order, facts);
  const entries = buildEntries(order, facts, before, implied);
  await enterPayment(tx, entries);
  const payment = await upsertPayment(tx, {
    id: facts.id,
    orderId: order.id,
    accountId: order.accountId,
    mode,
    totalCents: order.totalCents,
    creditsMicrousd: order.creditsMicrousd,
    feeMicrousd: order.feeMicrousd,
    refundedCents: implied.refundedCents,
    disputedCents: implied.disputedCents,
    disputeOpen: implied.disputeOpen,
    creditedMicrousd: implied.credited,
    refundedMicrousd: implied.refunded,
    disputedMicrousd: implied.disputed,
    entries: (before?.entries ?? 0) + entries.length,
    ticket,
    ...(!before && (await drawReceipt(tx, order.accountId))),
    paidWith: facts.paidWith,
    paidAt: facts.createdAt,
  });
  if (!before) await recordFirstCredit(tx, runtime, order, snapshot);
  if (implied.disputeOpen !== (before?.disputeOpen ?? false)) await recordDispute(tx, payment);
  if (entries.some(({ amount }) => amount > 0n))
    await enableLowBalanceAlert(tx, order.accountId, runtime.settings.lowBalanceMicrousd);
  return payment;
}

async function recordFirstCredit(
  tx: Executor,
  runtime: Pick<Runtime, 'log'>,
  order: Order,
  { facts, ticket }: OrderedSnapshot,
): Promise<void> {
  await markOrderPaid(tx, order.id, facts.id);
  if (order.kind === 'reload') await clearReloadFailures(tx, order.accountId);
  if (order.saveCard && facts.card && facts.customerId)
    await writeCard(
      tx,
      { accountId: order.accountId, mode: order.mode, customerId: facts.customerId },
      facts.card,
      ticket,
    );
  await writeAudit(tx, {
    actor: order.createdBy,
    action: 'payment.credit',
    accountId: order.accountId,
    target: facts.id,
    details: { order: order.id, total_cents: order.totalCents },
  });
  await enqueueReceipt(tx, order.accountId, facts.id);
  runtime.log.info('payment.credited', { paymentId: facts.id, orderId: order.id });
}

async function recordDispute(tx: Executor, payment: Payment): Promise<void> {
  await markDispute(tx, payment.accountId);
  await writeAudit(tx, {
    actor: 'system:payments',
    action: payment.disputeOpen ? 'payment.dispute_opened' : 'payment.dispute_closed',
    accountId: payment.accountId,
    target: payment.id,
  });
  if (payment.disputeOpen)
    await enqueueEmail(tx, { kind: 'dispute_opened', accountId: payment.accountId, ref: payment.id });
}

/** The ref of an entry of a payment; number 1 is always the credit that was bought. */
export function entryRef(paymentId: string, number: number): string {
  return `${paymentId}:${number}`;
}

/** The entries that bring the ledger to what the objects imply: at most one of each kind. */
function buildEntries(
  order: Order,
  facts: PaymentSnapshot,
  before: Payment | null,
  implied: ImpliedCredit,
): PaymentEntry[] {
  const steps: [PaymentEntry['kind'], Microusd, string][] = [
    ['purchase', implied.credited - (before?.creditedMicrousd ?? 0n), PURCHASES[order.kind]],
    ['refund', (before?.refundedMicrousd ?? 0n) - implied.refunded, refundMemo(before, implied)],
    ['dispute', (before?.disputedMicrousd ?? 0n) - implied.disputed, disputeMemo(before, implied)],
  ];
  const last = before?.entries ?? 0;
  return steps
    .filter(([, amount]) => amount !== 0n)
    .map(([kind, amount, memo], at) => ({
      kind,
      ref: entryRef(facts.id, last + at + 1),
      accountId: order.accountId,
      amount,
      memo: kind === 'purchase' && facts.paidWith ? `${memo} with ${facts.paidWith}` : memo,
    }));
}

const PURCHASES = {
  checkout: 'Credit bought',
  reload: 'Auto-recharge',
  machine: 'Machine top-up',
} satisfies Record<Order['kind'], string>;

function refundMemo(before: Payment | null, implied: ImpliedCredit): string {
  const cents = implied.refundedCents - (before?.refundedCents ?? 0);
  return cents < 0
    ? 'Refund failed: credit restored'
    : `Refund of ${formatUsd(BigInt(cents) * MICROUSD_PER_CENT)}`;
}

function disputeMemo(before: Payment | null, implied: ImpliedCredit): string {
  return implied.disputed > (before?.disputedMicrousd ?? 0n)
    ? 'Payment disputed'
    : 'Dispute won: credit restored';
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../../core/runtime';
import type { PaymentSnapshot, Payments } from '../../platform/ports/ports';
import { computeCredit } from '../payments/compute-credit';
import {
  findOrder,
  findPaymentRow,
  findTestModeCredit,
  listPaymentRows,
  type Payment,
} from '../payments/store';
import type { DifferenceRow } from './reconcile-store';

/** Delay before a difference is checked again, so that events in transit arrive. */
const RECHECK_DELAY_MS = 3_000;

/** The expected and actual state of a payment, as comparable text. */
interface Comparison {
  expected: string;
  actual: string;
}

/** A difference between the ledger and the provider: the violated rule and its subject. */
export interface PaymentDifference extends DifferenceRow {
  check:
    | 'payment equals the provider'
    | 'payment is known to the provider'
    | 'no test mode credit in live mode';
}

/**
 * Compares the payments of the current mode with the provider's objects, in both directions.
 * Changes nothing. Differences are checked twice, because an event may be in transit.
 * @throws PaymentsUnavailable
 */
export async function comparePayments(
  runtime: Pick<Runtime, 'db' | 'ports'>,
): Promise<{ compared: number; differences: PaymentDifference[] }> {
  const { payments } = runtime.ports;
  if (!payments) return { compared: 0, differences: [] };
  const { compared, suspects } = await findSuspects(runtime, payments);
  if (suspects.length > 0) await wait(RECHECK_DELAY_MS);
  const differences: PaymentDifference[] = [];
  for (const { id, check } of suspects) {
    const found = await recheck(runtime, payments, id);
    if (found) differences.push({ check, subject: id, ...found });
  }
  if (payments.mode === 'live')
    for (const { id, left } of await findTestModeCredit(runtime.db))
      differences.push({
        check: 'no test mode credit in live mode',
        subject: id,
        expected: '0',
        actual: left,
      });
  return { compared, differences };
}

async function findSuspects(runtime: Pick<Runtime, 'db'>, payments: Payments) {
  const rows = new Map((await listPaymentRows(runtime.db, payments.mode)).map((row) => [row.id, row]));
  const suspects: { id: string; check: PaymentDifference['check'] }[] = [];
  let compared = 0;
  for await (const facts of payments.listPayments(new Date(0))) {
    const row = rows.get(facts.id) ?? null;
    rows.delete(facts.id);
    compared++;
    if (await compare(runtime, facts, row))
      suspects.push({ id: facts.id, check: 'payment equals the provider' });
  }
  for (const id of rows.keys()) suspects.push({ id, check: 'payment is known to the provider' });
  return { compared, suspects };
}

async function recheck(
  runtime: Pick<Runtime, 'db'>,
  payments: Payments,
  id: string,
): Promise<Comparison | null> {
  const facts = await payments.findPayment(id);
  const row = await findPaymentRow(runtime.db, id);
  if (!facts) return row ? { expected: 'no such payment', actual: describeRow(row) } : null;
  return await compare(runtime, facts, row);
}

/** Null if the ledger matches the objects. */
async function compare(
  runtime: Pick<Runtime, 'db'>,
  facts: PaymentSnapshot,
  row: Payment | null,
): Promise<Comparison | null> {
  if (facts.status !== 'paid') return row ? { expected: facts.status, actual: describeRow(row) } : null;
  const order = facts.orderId === null ? null : await findOrder(runtime.db, facts.orderId);
  // An order of another gateway on the same provider account, or of a discarded database.
  if (!order) return row ? { expected: 'an order of ours', actual: describeRow(row) } : null;
  const { credited, refunded, disputed, disputeOpen } = computeCredit(order, facts);
  const dispute = disputeOpen ? ', dispute open' : '';
  const expected = `${facts.totalCents} cents ${facts.currency}, credit ${credited} - ${refunded} - ${disputed}${dispute}`;
  const actual = row ? describeRow(row) : 'not credited';
  return expected === actual ? null : { expected, actual };
}

function describeRow(row: Payment): string {
  const { totalCents, creditedMicrousd, refundedMicrousd, disputedMicrousd } = row;
  const dispute = row.disputeOpen ? ', dispute open' : '';
  return `${totalCents} cents usd, credit ${creditedMicrousd} - ${refundedMicrousd} - ${disputedMicrousd}${dispute}`;
}

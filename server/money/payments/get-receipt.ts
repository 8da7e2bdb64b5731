import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { usdFromMicrousd } from '../../kit/money';
import { chooseAccount, getViewableAccount } from '../billing/choose-account';
import type { Receipt } from '../billing/schema';
import { findPaymentRow, findReceipt, listReceipts, type ReceiptRow } from './store';

const PAGE = 25;
const NUMBER_DIGITS = 6;

/**
 * The receipt of a payment, with its refunds and disputes.
 * @throws GatewayError NOT_FOUND, also for another user's payment
 */
export async function getReceipt(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  paymentId: string,
): Promise<Receipt> {
  const row = await findReceipt(runtime.db, paymentId);
  if (!row || !(await getViewableAccount(runtime, actor, row.account_id)))
    throw new GatewayError('NOT_FOUND', { message: 'There is no such payment.' });
  return describeReceipt(row);
}

/**
 * The payments of an account, newest first.
 * @throws GatewayError FORBIDDEN for another user's account, INVALID_INPUT for an invalid cursor
 */
export async function getPayments(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  { billing, cursor }: { billing?: string | undefined; cursor?: string | undefined },
): Promise<{ payments: Receipt[]; next_cursor: string | null }> {
  return await listAccountPayments(
    runtime,
    (await chooseAccount(runtime, actor, billing, 'member')).id,
    cursor,
  );
}

/** The payments of an account that the caller has authorised. */
export async function listAccountPayments(
  runtime: Pick<Runtime, 'db'>,
  accountId: string,
  cursor: string | undefined,
): Promise<{ payments: Receipt[]; next_cursor: string | null }> {
  if (cursor !== undefined) await checkCursor(runtime, accountId, cursor);
  const rows = await listReceipts(runtime.db, accountId, { limit: PAGE + 1, before: cursor ?? null });
  const shown = rows.slice(0, PAGE);
  return {
    payments: shown.map(describeReceipt),
    next_cursor: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** The cursor is a payment id; one of another account would return an empty page. */
async function checkCursor(runtime: Pick<Runtime, 'db'>, accountId: string, cursor: string): Promise<void> {
  if ((await findPaymentRow(runtime.db, cursor))?.accountId === accountId) return;
  throw new GatewayError('INVALID_INPUT', {
    message: 'cursor: Use next_cursor from the previous page.',
    details: { fields: [{ path: 'cursor', message: 'Use next_cursor from the previous page.' }] },
  });
}

/** Converts a row to its public form. */
export function describeReceipt(row: ReceiptRow): Receipt {
  return {
    payment_id: row.id,
    receipt_number: row.receipt_number === null ? null : formatReceiptNumber(row.receipt_number),
    order_id: row.order_id,
    paid_at: new Date(row.paid_at).toISOString(),
    paid_with: row.paid_with,
    kind: row.kind,
    mode: row.mode,
    account: { id: row.account_id, name: row.account_name, slug: row.account_slug },
    credit_usd: usdFromMicrousd(row.credits),
    fee_usd: usdFromMicrousd(row.fee),
    total_usd: row.total_cents / 100,
    refunded_usd: row.refunded_cents / 100,
    disputed_usd: row.disputed_cents / 100,
    dispute_open: row.dispute_open,
    credit_taken_back_usd: usdFromMicrousd(row.taken_back),
  };
}

function formatReceiptNumber(number: number): string {
  return `R-${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** The account of any payment, for the operator; null if there is no such payment. */
export async function getReceiptAccount(
  runtime: Pick<Runtime, 'db'>,
  paymentId: string,
): Promise<string | null> {
  return (await findReceipt(runtime.db, paymentId))?.account_id ?? null;
}

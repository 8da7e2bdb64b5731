import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, integer, json, type RowOf, text, timestamptz } from '@/db/rows';
import {
  orders,
  type PaymentMode,
  paymentEvents,
  payments,
  type ReceiptCustomer,
} from '@/db/schema/payments';
import type { PaymentEvent } from '../../platform/ports/ports';

export type Order = typeof orders.$inferSelect;
export type NewOrder = typeof orders.$inferInsert;
export type Payment = typeof payments.$inferSelect;
export async function insertOrder(tx: Executor, order: NewOrder): Promise<void> {
  await tx.insert(orders).values(order);
}

export async function findOrder(db: Executor, id: string): Promise<Order | null> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id));
  return row ?? null;
}

/** Locks an order. Lock its account first, as everywhere. */
export async function lockOrder(tx: Executor, id: string): Promise<Order | null> {
  const [row] = await tx.select().from(orders).where(eq(orders.id, id)).for('no key update');
  return row ?? null;
}

const ticketRow = defineRow({ ticket: bigint() });

/** Draws the ticket of a snapshot that is about to be fetched (docs/decisions/0014). */
export async function nextTicket(db: Executor): Promise<bigint> {
  const [row] = await ticketRow.read(db.execute(sql`select nextval('payment_tickets') as ticket`));
  return row?.ticket ?? 0n;
}

export async function lockPayment(tx: Executor, id: string): Promise<Payment | null> {
  const [row] = await tx.select().from(payments).where(eq(payments.id, id)).for('no key update');
  return row ?? null;
}

/** Stores the state of a payment; what was bought with it keeps its first values. */
export async function upsertPayment(tx: Executor, row: typeof payments.$inferInsert): Promise<Payment> {
  const {
    id,
    orderId,
    accountId,
    mode,
    totalCents,
    creditsMicrousd,
    feeMicrousd,
    receiptNumber,
    customer,
    paidAt,
    ...state
  } = row;
  const [written] = await tx
    .insert(payments)
    .values(row)
    .onConflictDoUpdate({ target: payments.id, set: { ...state, updatedAt: sql`now()` } })
    .returning();
  if (!written) throw new Error('A payment was not written');
  return written;
}

/** What a payment's receipt keeps: its number, and the customer with the details of this moment. */
export async function drawReceipt(
  tx: Executor,
  accountId: string,
): Promise<{ receiptNumber: number; customer: ReceiptCustomer }> {
  const [row] = await receiptFactsRow.read(
    tx.execute(sql`
      select nextval('receipt_numbers')::int as number, jsonb_build_object('account', a.name,
        'company', coalesce(d.company_name, ''), 'address', coalesce(d.address, ''),
        'vat_id', coalesce(d.vat_id, '')) as customer
      from accounts a left join billing_details d on d.account_id = a.id where a.id = ${accountId}`),
  );
  if (!row) throw new Error('The account of a payment was not found');
  return { receiptNumber: row.number, customer: row.customer };
}

const receiptFactsRow = defineRow({ number: integer(), customer: json<ReceiptCustomer>() });

export async function writeCustomer(
  tx: Executor,
  paymentId: string,
  customer: ReceiptCustomer,
): Promise<void> {
  await tx.update(payments).set({ customer }).where(eq(payments.id, paymentId));
}

/** The receipts of an account that is closed name nobody any more. */
export async function eraseCustomers(tx: Executor, accountId: string): Promise<void> {
  await tx.update(payments).set({ customer: null }).where(eq(payments.accountId, accountId));
}

/** Also reopens an order that had failed or expired: the money arrived after all. */
export async function markOrderPaid(tx: Executor, id: string, paymentId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ status: 'paid', paymentId, failureCode: null, finishedAt: sql`now()` })
    .where(eq(orders.id, id));
}

/** @returns whether it was open */
export async function markOrderEnded(
  tx: Executor,
  id: string,
  end: { status: 'failed' | 'expired'; failureCode?: string },
): Promise<boolean> {
  const ended = await tx
    .update(orders)
    .set({ status: end.status, failureCode: end.failureCode ?? null, finishedAt: sql`now()` })
    .where(and(eq(orders.id, id), eq(orders.status, 'open')))
    .returning({ id: orders.id });
  return ended.length > 0;
}

/** Sets whether paid calls of an account are refused: while any of its payments is disputed. */
export async function markDispute(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts a set disputed_at = case when open then coalesce(a.disputed_at, now()) end
    from (select exists (select 1 from payments p where p.account_id = ${accountId} and p.dispute_open) as open) d
    where a.id = ${accountId}`);
}

/** Moves the orders and payments of an account that is claimed. Both accounts must be locked. */
export async function moveOrders(tx: Executor, fromId: string, toId: string): Promise<void> {
  await tx.update(orders).set({ accountId: toId }).where(eq(orders.accountId, fromId));
  await tx.update(payments).set({ accountId: toId, customer: null }).where(eq(payments.accountId, fromId));
}

/** A reload was paid, so the count of consecutive declines restarts. */
export async function clearReloadFailures(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts set reload_failures = 0, reload_not_before_at = null where id = ${accountId}`);
}

export async function findOrderBySession(db: Executor, sessionId: string): Promise<Order | null> {
  const [row] = await db.select().from(orders).where(eq(orders.sessionId, sessionId));
  return row ?? null;
}

export async function setSession(db: Executor, id: string, sessionId: string): Promise<void> {
  await db.update(orders).set({ sessionId }).where(eq(orders.id, id));
}

/** Open checkouts of a mode that may have been paid or expired without an event; oldest first. */
export async function listStaleCheckouts(db: Executor, mode: PaymentMode, limit: number): Promise<Order[]> {
  return await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.kind, 'checkout'),
        eq(orders.status, 'open'),
        eq(orders.mode, mode),
        sql`${orders.createdAt} < now() - interval '2 minutes'`,
      ),
    )
    .orderBy(orders.createdAt)
    .limit(limit);
}

export async function listOpenCheckouts(
  db: Executor,
  accountId: string,
  mode: PaymentMode,
): Promise<Order[]> {
  return await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        eq(orders.kind, 'checkout'),
        eq(orders.status, 'open'),
        eq(orders.mode, mode),
      ),
    );
}

/**
 * Whether a payment for an account may still arrive: through a checkout page, open or being
 * created, a charge of the saved card, or a top-up with a used challenge. An untried top-up is
 * refused once the account is closed.
 * @param mode of the configured provider; null if there is none
 */
export async function hasPayableOrder(
  tx: Executor,
  accountId: string,
  mode: PaymentMode | null,
): Promise<boolean> {
  const rows = await tx.execute(sql`
    select 1 from orders where account_id = ${accountId} and status = 'open'
      and (kind = 'machine' and attempts > 0 and mode in ('sandbox', 'x402', ${mode}::text)
        or kind = 'reload' and mode = ${mode}::text
        or kind = 'checkout' and mode = ${mode}::text
          and (session_id is not null or created_at > now() - interval '10 minutes'))
    limit 1`);
  return rows.length > 0;
}

/**
 * Expires checkouts that never got a page, and those that no configured provider knows.
 * @param mode of the configured provider; null if there is none
 */
export async function expireUnpaid(db: Executor, mode: PaymentMode | null): Promise<void> {
  await db.execute(sql`
    update orders set status = 'expired', finished_at = now()
    where status = 'open' and expires_at < now() - interval '1 hour' and kind = 'checkout'
      and (session_id is null or mode is distinct from ${mode}::text)`);
}

const recordedRow = defineRow({ done: boolean() });

/** @returns false if it was received before and fully processed */
export async function recordEvent(db: Executor, event: PaymentEvent): Promise<boolean> {
  const { id, type, live, sessionId, paymentId, customerId } = event;
  const [row] = await recordedRow.read(
    db.execute(sql`
      insert into payment_events as e (id, type, live, session_id, payment_id, customer_id, attempts)
      values (${id}, ${type}, ${live}, ${sessionId}, ${paymentId}, ${customerId}, 1)
      on conflict (id) do update set attempts = e.attempts + case when e.outcome is null then 1 else 0 end,
        live = excluded.live, session_id = excluded.session_id, payment_id = excluded.payment_id,
        customer_id = excluded.customer_id
      returning e.outcome is not null as done`),
  );
  return row?.done !== true;
}

/** Records the error of the last attempt at an event. */
export async function failEvent(db: Executor, id: string, error: string): Promise<void> {
  await db.execute(sql`update payment_events set error = ${error} where id = ${id} and outcome is null`);
}

/** A recorded event; null if there is none, or its objects were not recorded. */
export async function findRecordedEvent(db: Executor, id: string): Promise<PaymentEvent | null> {
  const [row] = await db.select().from(paymentEvents).where(eq(paymentEvents.id, id));
  if (!row || row.live === null) return null;
  const { type, live, sessionId, paymentId, customerId, receivedAt } = row;
  return { id, type, live, sessionId, paymentId, customerId, createdAt: receivedAt };
}

const idRow = defineRow({ id: text() });

/** Events whose last attempt failed, oldest first. */
export async function listFailedEvents(db: Executor, limit: number): Promise<string[]> {
  const rows = await idRow.read(
    db.execute(sql`
      select id from payment_events where outcome is null and error is not null and live is not null
      order by received_at limit ${limit}`),
  );
  return rows.map(({ id }) => id);
}

export async function finishEvent(db: Executor, id: string, outcome: 'applied' | 'ignored'): Promise<void> {
  await db.execute(sql`
    update payment_events set outcome = ${outcome}, finished_at = now(), error = null where id = ${id}`);
}

const markRow = defineRow({ since: timestamptz(), now: timestamptz() });

/**
 * The time from which to fetch events: 15 minutes before the last complete round, or 3 days ago;
 * and the current time by the same clock.
 */
export async function findEventsMark(db: Executor, mode: PaymentMode): Promise<{ since: Date; now: Date }> {
  const [row] = await markRow.read(
    db.execute(sql`
      select coalesce((select fetched_until - interval '15 minutes' from payment_event_marks where mode = ${mode}),
        now() - interval '3 days') as since, now() as now`),
  );
  if (!row) throw new Error('The query for the time returned no row');
  return { since: new Date(row.since), now: new Date(row.now) };
}

export async function markEventsFetched(db: Executor, mode: PaymentMode, until: Date): Promise<void> {
  await db.execute(sql`
    insert into payment_event_marks as m (mode, fetched_until) values (${mode}, ${until.toISOString()}::timestamptz)
    on conflict (mode) do update set fetched_until = greatest(m.fetched_until, excluded.fetched_until)`);
}

const receiptRow = defineRow({
  id: text(),
  order_id: text(),
  paid_at: timestamptz(),
  paid_with: text().nullable(),
  kind: text<Order['kind']>(),
  mode: text<PaymentMode>(),
  account_id: text(),
  account_name: text(),
  account_slug: text().nullable(),
  total_cents: integer(),
  credits: bigint(),
  fee: bigint(),
  refunded_cents: integer(),
  disputed_cents: integer(),
  dispute_open: boolean(),
  taken_back: bigint(),
  receipt_number: integer().nullable(),
  customer: json<ReceiptCustomer>().nullable(),
});
export type ReceiptRow = RowOf<typeof receiptRow>;

const receiptColumns = sql`
  p.id, p.order_id, p.paid_at, p.paid_with, o.kind, p.mode, a.id as account_id, a.name as account_name,
  a.slug as account_slug, p.total_cents, p.credits_microusd as credits, p.fee_microusd as fee, p.refunded_cents,
  p.disputed_cents, p.dispute_open, p.refunded_microusd + p.disputed_microusd as taken_back,
  p.receipt_number, p.customer
  from payments p join orders o on o.id = p.order_id join accounts a on a.id = p.account_id`;

export async function findReceipt(db: Executor, paymentId: string): Promise<ReceiptRow | null> {
  const [row] = await receiptRow.read(db.execute(sql`select ${receiptColumns} where p.id = ${paymentId}`));
  return row ?? null;
}

/**
 * Newest first.
 * @param before id of the last payment shown
 */
export async function listReceipts(
  db: Executor,
  accountId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<ReceiptRow[]> {
  const older =
    before === null
      ? sql``
      : sql`and (p.paid_at, p.id) < (select paid_at, id from payments where id = ${before})`;
  return await receiptRow.read(
    db.execute(sql`
      select ${receiptColumns} where p.account_id = ${accountId} ${older} order by p.paid_at desc, p.id desc limit ${limit}`),
  );
}

/**
 * The payments of a year (UTC), oldest first.
 * @param after id of the last payment before the page
 */
export async function listReceiptsOfYear(
  db: Executor,
  accountId: string,
  { year, after, limit }: { year: number; after: string | null; limit: number },
): Promise<ReceiptRow[]> {
  const later =
    after === null
      ? sql``
      : sql`and (p.paid_at, p.id) > (select paid_at, id from payments where id = ${after})`;
  return await receiptRow.read(
    db.execute(sql`
      select ${receiptColumns} where p.account_id = ${accountId}
        and p.paid_at >= make_timestamptz(${year}::int, 1, 1, 0, 0, 0, 'UTC')
        and p.paid_at < make_timestamptz(${year}::int + 1, 1, 1, 0, 0, 0, 'UTC') ${later}
      order by p.paid_at, p.id limit ${limit}`),
  );
}

export async function findPaymentRow(db: Executor, id: string): Promise<Payment | null> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row ?? null;
}

/** All payments of a mode, to compare with the provider's. */
export async function listPaymentRows(db: Executor, mode: PaymentMode): Promise<Payment[]> {
  return await db.select().from(payments).where(eq(payments.mode, mode));
}

const creditRow = defineRow({ id: text(), left: text() });

/** Accounts with credit from test mode payments that was not taken back. */
export async function findTestModeCredit(db: Executor): Promise<{ id: string; left: string }[]> {
  return await creditRow.read(
    db.execute(sql`
      select account_id as id, sum(credited_microusd - refunded_microusd - disputed_microusd)::text as left
      from payments where mode in ('fake', 'sandbox') group by 1
      having sum(credited_microusd - refunded_microusd - disputed_microusd) > 0`),
  );
}

import { notFound } from '../api/errors';
import type { Kind, Kinds, Row, Shape } from '../resources/objects';
import type { Executor } from '../types';
import { STATE_LOCK } from './tables';

export interface Filter {
  customer?: string | undefined;
  payment_intent?: string | undefined;
  charge?: string | undefined;
  type?: string | undefined;
  types?: string[] | undefined;
  status?: string | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
}

/** A page of a list, which is sorted newest first. */
export interface Page {
  limit: number;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

/** The names of kinds in error messages. */
const NAMES: Record<Kind, string> = {
  customer: 'customer',
  payment_method: 'PaymentMethod',
  payment_intent: 'payment_intent',
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  'checkout.session': 'checkout.session',
  'billing_portal.session': 'billing_portal.session',
  'shared_payment.granted_token': 'shared_payment_granted_token',
  event: 'event',
};

/** Seconds since the epoch, by the database's clock. */
export async function readClock(sql: Executor): Promise<number> {
  const [clock] = await sql<
    { now: number }[]
  >`select floor(extract(epoch from clock_timestamp()))::int as now`;
  return clock?.now ?? 0;
}

/** Locks all objects until the end of the transaction. @returns the time once it has the lock */
export async function lockState(tx: Executor): Promise<number> {
  const [clock] = await tx<{ now: number }[]>`
    select floor(extract(epoch from clock_timestamp()))::int as now
    from pg_advisory_xact_lock(${STATE_LOCK}::bigint)`;
  return clock?.now ?? 0;
}

/** The objects, in a transaction or outside of one. */
export class ObjectStore {
  readonly #sql: Executor;

  constructor(sql: Executor) {
    this.#sql = sql;
  }

  async find<K extends Kind>(kind: K, id: string): Promise<Row<K> | null> {
    const [row] = await this.#sql<Row<K>[]>`
      select data, hidden from fake_stripe.objects where id = ${id} and kind = ${kind}`;
    return row ?? null;
  }

  /** @throws StripeApiError 404, or 400 if the id is the value of a parameter */
  async get<K extends Kind>(kind: K, id: string, param = 'id', status: 400 | 404 = 404): Promise<Row<K>> {
    const row = await this.find(kind, id);
    if (!row) throw notFound(NAMES[kind], id, param, status);
    return row;
  }

  async insert<K extends Kind>(kind: K, data: Shape<K>, hidden: Kinds[K]['hidden']): Promise<Row<K>> {
    await this.#sql`
      insert into fake_stripe.objects (id, kind, created, data, hidden)
      values (${data.id}, ${kind}, ${data.created}, ${JSON.stringify(data)}::text::jsonb,
        ${JSON.stringify(hidden)}::text::jsonb)`;
    return { data, hidden };
  }

  async save<K extends Kind>({ data, hidden }: Row<K>): Promise<void> {
    await this.#sql`
      update fake_stripe.objects
      set data = ${JSON.stringify(data)}::text::jsonb, hidden = ${JSON.stringify(hidden)}::text::jsonb
      where id = ${data.id}`;
  }

  /** One page. `hasMore`: the list continues in the direction of the page. */
  async list<K extends Kind>(
    kind: K,
    filter: Filter,
    page: Page,
  ): Promise<{ rows: Row<K>[]; hasMore: boolean }> {
    const sql = this.#sql;
    const { limit, startingAfter, endingBefore } = page;
    const backwards = endingBefore !== undefined;
    const rows = await sql<Row<K>[]>`
      select data, hidden from fake_stripe.objects
      where kind = ${kind} ${this.#where(filter)}
        ${startingAfter === undefined ? sql`` : sql`and seq < (select seq from fake_stripe.objects where id = ${startingAfter})`}
        ${endingBefore === undefined ? sql`` : sql`and seq > (select seq from fake_stripe.objects where id = ${endingBefore})`}
      order by seq ${backwards ? sql`asc` : sql`desc`}
      limit ${limit + 1}`;
    const pageRows = rows.slice(0, limit);
    return { rows: backwards ? pageRows.reverse() : pageRows, hasMore: rows.length > limit };
  }

  /** All matching objects, newest first, at most 1,000. */
  async all<K extends Kind>(kind: K, filter: Filter): Promise<Row<K>[]> {
    return (await this.list(kind, filter, { limit: 1000 })).rows;
  }

  #where({ customer, payment_intent, charge, type, types, status, createdFrom, createdTo }: Filter) {
    const sql = this.#sql;
    return sql`
      ${customer === undefined ? sql`` : sql`and data->>'customer' = ${customer}`}
      ${payment_intent === undefined ? sql`` : sql`and data->>'payment_intent' = ${payment_intent}`}
      ${charge === undefined ? sql`` : sql`and data->>'charge' = ${charge}`}
      ${type === undefined ? sql`` : sql`and data->>'type' = ${type}`}
      ${types === undefined ? sql`` : sql`and data->>'type' in (select jsonb_array_elements_text(${JSON.stringify(types)}::text::jsonb))`}
      ${status === undefined ? sql`` : sql`and data->>'status' = ${status}`}
      ${createdFrom === undefined ? sql`` : sql`and created >= ${createdFrom}`}
      ${createdTo === undefined ? sql`` : sql`and created <= ${createdTo}`}`;
  }

  /** Payments by bank debit that are due to complete. */
  async listDueBankDebits(now: number): Promise<Row<'payment_intent'>[]> {
    return await this.#sql<Row<'payment_intent'>[]>`
      select data, hidden from fake_stripe.objects
      where kind = 'payment_intent' and data->>'status' = 'processing'
        and (hidden->'settles'->>'at')::bigint <= ${now}`;
  }

  /** Checkout sessions that are still open after `expires_at`. */
  async listExpiredSessions(now: number): Promise<Row<'checkout.session'>[]> {
    return await this.#sql<Row<'checkout.session'>[]>`
      select data, hidden from fake_stripe.objects
      where kind = 'checkout.session' and data->>'status' = 'open'
        and (data->>'expires_at')::bigint <= ${now}`;
  }

  /** Schedules an event for delivery now, also one that was delivered before. */
  async queueDelivery(eventId: string): Promise<void> {
    await this.#sql`
      insert into fake_stripe.deliveries (event_id, due_at) values (${eventId}, clock_timestamp())
      on conflict (event_id) do update set attempts = 0, due_at = excluded.due_at, done_at = null`;
  }
}

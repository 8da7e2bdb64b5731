import type postgres from 'postgres';
import { arrayLiteral } from '@/db/array-literal';
import { noSuch } from './errors';
import type { Kind, Kinds, Row, Shape } from './objects';
import { STANDIN_LOCK } from './schema-store';

type Executor = postgres.ISql<{ bigint: bigint }>;

/** What a list may be narrowed to. */
export interface Filter {
  customer?: string;
  payment_intent?: string;
  charge?: string;
  type?: string;
  types?: string[];
  status?: string;
  createdFrom?: number;
  createdTo?: number;
}

/** Which part of a list: the newest come first. */
export interface Page {
  limit: number;
  startingAfter?: string;
  endingBefore?: string;
}

/** How the API calls a kind when it has no such object. */
const NOUNS: Record<Kind, string> = {
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

/** Seconds since the epoch. */
export async function tellTime(sql: Executor): Promise<number> {
  const [clock] = await sql<
    { now: number }[]
  >`select floor(extract(epoch from clock_timestamp()))::int as now`;
  return clock?.now ?? 0;
}

/** Waits until no one else changes anything, to the end of the transaction; tells the time it is then. */
export async function lockForChange(tx: Executor): Promise<number> {
  const [clock] = await tx<{ now: number }[]>`
    select floor(extract(epoch from clock_timestamp()))::int as now
    from pg_advisory_xact_lock(${STANDIN_LOCK}::bigint)`;
  return clock?.now ?? 0;
}

/** The objects of the stand-in, in one transaction or outside any. */
export class Store {
  readonly #sql: Executor;

  constructor(sql: Executor) {
    this.#sql = sql;
  }

  async find<K extends Kind>(kind: K, id: string): Promise<Row<K> | null> {
    const [row] = await this.#sql<Row<K>[]>`
      select data, hidden from stripe_standin.objects where id = ${id} and kind = ${kind}`;
    return row ?? null;
  }

  /** @throws StripeRefusal 404, or 400 where the id is the value of a parameter */
  async get<K extends Kind>(kind: K, id: string, param = 'id', status: 400 | 404 = 404): Promise<Row<K>> {
    const row = await this.find(kind, id);
    if (!row) throw noSuch(NOUNS[kind], id, param, status);
    return row;
  }

  async insert<K extends Kind>(kind: K, data: Shape<K>, hidden: Kinds[K]['hidden']): Promise<Row<K>> {
    await this.#sql`
      insert into stripe_standin.objects (id, kind, created, data, hidden)
      values (${data.id}, ${kind}, ${data.created}, ${JSON.stringify(data)}::text::jsonb,
        ${JSON.stringify(hidden)}::text::jsonb)`;
    return { data, hidden };
  }

  async save<K extends Kind>({ data, hidden }: Row<K>): Promise<void> {
    await this.#sql`
      update stripe_standin.objects
      set data = ${JSON.stringify(data)}::text::jsonb, hidden = ${JSON.stringify(hidden)}::text::jsonb
      where id = ${data.id}`;
  }

  /** One page of a list; `more` says whether it goes on in the direction of the page. */
  async list<K extends Kind>(
    kind: K,
    filter: Filter,
    page: Page,
  ): Promise<{ rows: Row<K>[]; more: boolean }> {
    const sql = this.#sql;
    const { limit, startingAfter, endingBefore } = page;
    const backwards = endingBefore !== undefined;
    const rows = await sql<Row<K>[]>`
      select data, hidden from stripe_standin.objects
      where kind = ${kind} ${this.#matching(filter)}
        ${startingAfter === undefined ? sql`` : sql`and seq < (select seq from stripe_standin.objects where id = ${startingAfter})`}
        ${endingBefore === undefined ? sql`` : sql`and seq > (select seq from stripe_standin.objects where id = ${endingBefore})`}
      order by seq ${backwards ? sql`asc` : sql`desc`}
      limit ${limit + 1}`;
    const shown = rows.slice(0, limit);
    return { rows: backwards ? shown.reverse() : shown, more: rows.length > limit };
  }

  /** Every object that matches, newest first. */
  async all<K extends Kind>(kind: K, filter: Filter): Promise<Row<K>[]> {
    return (await this.list(kind, filter, { limit: 1000 })).rows;
  }

  #matching({ customer, payment_intent, charge, type, types, status, createdFrom, createdTo }: Filter) {
    const sql = this.#sql;
    return sql`
      ${customer === undefined ? sql`` : sql`and data->>'customer' = ${customer}`}
      ${payment_intent === undefined ? sql`` : sql`and data->>'payment_intent' = ${payment_intent}`}
      ${charge === undefined ? sql`` : sql`and data->>'charge' = ${charge}`}
      ${type === undefined ? sql`` : sql`and data->>'type' = ${type}`}
      ${types === undefined ? sql`` : sql`and data->>'type' = any(${arrayLiteral(types)}::text[])`}
      ${status === undefined ? sql`` : sql`and data->>'status' = ${status}`}
      ${createdFrom === undefined ? sql`` : sql`and created >= ${createdFrom}`}
      ${createdTo === undefined ? sql`` : sql`and created <= ${createdTo}`}`;
  }

  /** Payments by bank debit that end by now. */
  async settling(now: number): Promise<Row<'payment_intent'>[]> {
    return await this.#sql<Row<'payment_intent'>[]>`
      select data, hidden from stripe_standin.objects
      where kind = 'payment_intent' and data->>'status' = 'processing'
        and (hidden->'settles'->>'at')::bigint <= ${now}`;
  }

  /** Open checkout sessions whose time is over. */
  async expiring(now: number): Promise<Row<'checkout.session'>[]> {
    return await this.#sql<Row<'checkout.session'>[]>`
      select data, hidden from stripe_standin.objects
      where kind = 'checkout.session' and data->>'status' = 'open'
        and (data->>'expires_at')::bigint <= ${now}`;
  }

  /** Has an event sent; at once, again where it was sent before. */
  async queueDelivery(eventId: string): Promise<void> {
    await this.#sql`
      insert into stripe_standin.deliveries (event_id, due_at) values (${eventId}, clock_timestamp())
      on conflict (event_id) do update set attempts = 0, due_at = excluded.due_at, done_at = null`;
  }
}

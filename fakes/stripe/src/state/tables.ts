import type { Sql } from '../types';

/** The advisory lock of all transactions; an arbitrary number. */
export const STATE_LOCK = 0x57a9d1;

/**
 * Creates the schema if it is missing. Under the lock, because concurrent `if not exists` can fail.
 */
export async function createSchema(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${STATE_LOCK}::bigint)`;
    await createTables((statements) => tx.unsafe(statements));
  });
}

/** Creates the tables in the transaction of a caller that has exclusive access, e.g. a restore. */
export async function createTables(run: (statements: string) => Promise<unknown>): Promise<void> {
  await run(TABLES);
}

const TABLES = `
create schema if not exists fake_stripe;

create table if not exists fake_stripe.objects (
  id text primary key,
  kind text not null,
  seq bigint not null generated always as identity,
  created bigint not null,
  data jsonb not null,
  hidden jsonb not null
);
create index if not exists objects_newest on fake_stripe.objects (kind, seq desc);
create index if not exists objects_of_customer on fake_stripe.objects (kind, (data->>'customer'));
create index if not exists objects_of_payment on fake_stripe.objects (kind, (data->>'payment_intent'));
create index if not exists objects_waiting on fake_stripe.objects (kind, created)
  where data->>'status' in ('processing', 'open');

create table if not exists fake_stripe.requests (
  key text primary key,
  fingerprint text not null,
  claim text not null,
  status integer,
  body text,
  started_at timestamptz not null
);

create unique index if not exists requests_claim on fake_stripe.requests (claim);

create table if not exists fake_stripe.deliveries (
  event_id text primary key,
  attempts integer not null default 0,
  due_at timestamptz not null,
  done_at timestamptz,
  last_answer text
);
create index if not exists deliveries_due on fake_stripe.deliveries (due_at) where done_at is null;
`;

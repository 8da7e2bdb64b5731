import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type postgres from 'postgres';
import { BootError } from '../process/boot-error';
import { type MigrationWaits, retryWhileBusy } from './retry-while-busy';
import { listApplied, recordMigration } from './run-migrations';

// Databases from before 0.1.0, whose 35 migrations became one. Delete this file, and what imports
// it, once nobody has such a database or backup (docs/decisions/0090).

/** The creation time of the last of those migrations, by which drizzle and backups know it. */
export const LAST_UNRELEASED = 1_795_855_285_046;

/** Where the fake Stripe's tables were. */
export const UNRELEASED_SCHEMA = 'stripe_standin';

const renameEmails = (from: string, to: string) =>
  ['', '_id_seq', '_pkey', '_due']
    .map((suffix) => `alter table ${from}${suffix} rename to ${to}${suffix};`)
    .join('\n');

/** Makes empty tables of 0.1.0 those of that migration, for the rows of a backup. */
export const TO_UNRELEASED = `
  update drizzle.__drizzle_migrations set created_at = ${LAST_UNRELEASED};
  ${renameEmails('outgoing_emails', 'outgoing_mails')}
  alter table orders drop constraint orders_mode_known;
  alter table api_keys add minute_started_at timestamptz, add minute_used integer not null default 0,
    add hour_started_at timestamptz, add hour_used integer not null default 0;
  do $$ begin
    if to_regnamespace('fake_stripe') is not null then
      alter schema fake_stripe rename to ${UNRELEASED_SCHEMA};
    end if;
  end $$;`;

const WITH_MODES = ['orders', 'payments', 'payment_profiles', 'payment_event_marks', 'invoices'];

/** Makes the schema and rows of that migration those of 0.1.0. */
const TO_RELEASED = `
  drop function if exists exchange_calls, open_queued_call, open_calls;
  drop table if exists drizzle.__oldest_programs;
  ${renameEmails('outgoing_mails', 'outgoing_emails')}
  alter table api_keys drop constraint if exists api_keys_running_not_negative;
  alter table api_keys drop minute_started_at, drop minute_used, drop hour_started_at, drop hour_used;
  alter table api_keys add constraint api_keys_running_not_negative check (running >= 0);
  alter table invoices disable trigger user;
  alter table orders drop constraint if exists orders_mode_known;
  ${WITH_MODES.map((table) => `update ${table} set mode = 'fake' where mode = 'standin';`).join('\n')}
  alter table orders add constraint orders_mode_known
    check (mode in ('live', 'test', 'fake', 'sandbox', 'x402'));
  alter table invoices enable trigger user;
  alter table audit_events disable trigger user;
  update audit_events set action = 'account.view' where action = 'account.look';
  alter table audit_events enable trigger user;
  do $$ begin
    if to_regnamespace('${UNRELEASED_SCHEMA}') is not null then
      alter schema ${UNRELEASED_SCHEMA} rename to fake_stripe;
      update fake_stripe.objects set
        data = replace(replace(data::text, '/stripe-standin/', '/fake-stripe/'), 'profile_standin', 'profile_fake')::jsonb
      where data::text ~ 'stripe-standin|profile_standin';
    end if;
  end $$;`;

/**
 * Brings a database of the last unreleased version to the schema of 0.1.0, in one transaction, and
 * records its migration as applied. Leaves other databases alone.
 * @param folder db/migrations
 * @throws BootError if the database is older
 */
export async function adoptUnreleased(
  sql: postgres.Sql,
  folder: string,
  waits: MigrationWaits,
): Promise<void> {
  const applied = await listApplied(sql);
  const [first] = readMigrationFiles({ migrationsFolder: folder });
  if (applied.size === 0 || !first || applied.has(first.folderMillis)) return;
  if (!applied.has(LAST_UNRELEASED))
    throw new BootError(
      'The database is from a version before 0.1.0 that this one cannot update: ' +
        'start commit 25dc4361 of the gateway on it once, then this version.',
    );
  await retryWhileBusy(waits, () => adopt(sql, first, waits.lockTimeoutMs));
}

async function adopt(sql: postgres.Sql, first: MigrationMeta, lockTimeoutMs: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
    await tx.unsafe(TO_RELEASED);
    await tx`delete from drizzle.__drizzle_migrations`;
    await recordMigration(tx, first.hash, first.folderMillis);
  });
}

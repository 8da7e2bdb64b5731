import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow, integer, text } from '@/db/rows';
import { deleteRefusals } from '../../identity/accounts/store';
import { forgetWebhooks } from '../../notifications/webhooks/forget-webhooks';

/** An arbitrary number; the process that holds this lock sweeps. */
const SWEEP_LOCK = 7_305_112_044;

const lockRow = defineRow({ taken: boolean() });

/** Takes the sweep lock until the transaction ends; false if another process holds it. */
export async function acquireSweepLock(tx: Executor): Promise<boolean> {
  const [row] = await lockRow.read(tx.execute(sql`select pg_try_advisory_xact_lock(${SWEEP_LOCK}) as taken`));
  return row?.taken ?? false;
}

/** Deletes jobs that finished this long ago, with input, result and log. */
export async function deleteOldJobs(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from jobs where id in (
      select id from jobs where finished_at < now() - make_interval(days => ${days}::int)
      order by finished_at limit ${limit} for update skip locked)`,
  );
}

/** Deletes jobs of deleted accounts that were still running when the account was deleted. */
export async function deleteJobsOfDeletedAccounts(tx: Executor, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from jobs where id in (
      select j.id from accounts a join jobs j on j.account_id = a.id
      where a.closed_at is not null and a.claimed_at is null and j.finished_at is not null
      limit ${limit} for update of j skip locked)`,
  );
}

/** Deletes expired idempotency records and abandoned ones, but none with a running call. */
export async function deleteOldIdempotencyKeys(tx: Executor, hours: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from idempotency_keys where (account_id, key, part) in (
      select i.account_id, i.key, i.part from idempotency_keys i
      where i.created_at < now() - make_interval(hours => ${hours}::int)
        and coalesce(i.finished_at, i.lease_expires_at) < now() - make_interval(hours => ${hours}::int)
        and (i.finished_at is not null or not exists (select 1 from calls c where c.id = i.call_id)
          and not exists (select 1 from jobs j where j.call_id = i.call_id and j.finished_at is null))
      order by i.created_at limit ${limit} for update of i skip locked)`,
  );
}

/** Deletes machine top-ups without a payment attempt that expired this long ago. */
export async function deleteUnpaidTopups(tx: Executor, hours: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from orders where id in (
      select id from orders where kind = 'machine' and status in ('open', 'expired') and attempts = 0
        and expires_at < now() - make_interval(hours => ${hours}::int)
      order by created_at limit ${limit} for update skip locked)`,
  );
}

/** Deletes rate-limit windows that ended long ago. */
export async function deleteEndedWindows(tx: Executor, hours: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from rate_windows where (scope, subject) in (
      select scope, subject from rate_windows where started_at < now() - make_interval(hours => ${hours}::int)
      limit ${limit} for update skip locked)`,
  );
}

export async function deleteExpiredSessions(tx: Executor, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from sessions where session_token in (
      select session_token from sessions where expires < now() limit ${limit} for update skip locked)`,
  );
}

export async function deleteOldEmailChanges(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from email_changes where confirm_hash in (
      select confirm_hash from email_changes where created_at < now() - make_interval(days => ${days}::int)
      limit ${limit} for update skip locked)`,
  );
}

export async function deleteExpiredSignInTokens(tx: Executor, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from verification_tokens where (identifier, token) in (
      select identifier, token from verification_tokens where expires < now() limit ${limit} for update skip locked)`,
  );
}

/** Deletes reconcile runs started this long ago. */
export async function deleteOldReconcileRuns(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from reconcile_runs where id in (
      select id from reconcile_runs where created_at < now() - make_interval(days => ${days}::int)
      limit ${limit} for update skip locked)`,
  );
}

/** Deletes notices of alerts queued this long ago. */
export async function deleteOldNotices(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from alert_messages where id in (
      select id from alert_messages where created_at < now() - make_interval(days => ${days}::int) limit ${limit})`,
  );
}

/** Deletes alerts resolved this long ago. */
export async function deleteOldAlerts(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from operator_alerts where id in (
      select id from operator_alerts where resolved_at < now() - make_interval(days => ${days}::int) limit ${limit})`,
  );
}

/** Deletes incidents resolved this long ago. */
export async function deleteOldIncidents(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from incidents where id in (
      select id from incidents where resolved_at < now() - make_interval(days => ${days}::int) limit ${limit})`,
  );
}

/** Deletes the uptime of days this long ago. */
export async function deleteOldStatusDays(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from status_days where (component, day) in (
      select component, day from status_days where day < (now() at time zone 'UTC')::date - ${days}::int limit ${limit})`,
  );
}

/**
 * Deletes emails sent this long ago, or created this long ago and never sent. Those of limits stay
 * while they are current: the same limit of a key is reported once, that of a member once a month.
 */
export async function deleteOldEmails(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from outgoing_emails where id in (
      select id from outgoing_emails
      where coalesce(sent_at, created_at) < now() - make_interval(days => ${days}::int)
        and not (kind = 'key_blocked' and exists (
          select 1 from api_keys k where k.id = split_part(ref, ':', 1) and k.revoked_at is null
            and ref in (key_alert_ref(k, true), key_alert_ref(k, false))))
        and not (kind = 'member_blocked' and created_at >= date_trunc('month', now(), 'UTC'))
      limit ${limit} for update skip locked)`,
  );
}

/** Deletes webhook deliveries created this long ago, with their log; none is sent after a day. */
export async function deleteOldWebhooks(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from webhook_deliveries where id in (
      select id from webhook_deliveries
      where created_at < now() - make_interval(days => ${days}::int) and state <> 'pending'
      limit ${limit} for update skip locked)`,
  );
}

/**
 * Deletes endpoints that stayed with a claimed or deleted account, once nothing is sent to them.
 */
export async function deleteLeftEndpoints(tx: Executor, limit: number): Promise<number> {
  return await count(
    tx,
    sql`with gone as (
      delete from webhook_endpoints where id in (
        select e.id from webhook_endpoints e join accounts a on a.id = e.account_id
        where a.closed_at is not null and not exists (
          select 1 from webhook_deliveries d where d.holder_id = e.id and d.state = 'pending')
        limit ${limit} for update of e skip locked) returning id
    ), secrets as (
      delete from webhook_secrets s using gone where s.holder_id = gone.id
    ), deliveries as (
      delete from webhook_deliveries d using gone where d.holder_id = gone.id
    )
    select id from gone`,
  );
}

/** Deletes invitations accepted, revoked or expired this long ago. */
export async function deleteEndedInvitations(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from invitations where id in (
      select id from invitations
      where coalesce(accepted_at, revoked_at, expires_at) < now() - make_interval(days => ${days}::int)
      limit ${limit} for update skip locked)`,
  );
}

/** The same for invitations to sign up. */
export async function deleteEndedSignUpInvitations(
  tx: Executor,
  days: number,
  limit: number,
): Promise<number> {
  return await count(
    tx,
    sql`delete from sign_up_invitations where id in (
      select id from sign_up_invitations
      where coalesce(used_at, expires_at) < now() - make_interval(days => ${days}::int)
      limit ${limit} for update skip locked)`,
  );
}

/** Deletes redemptions of promo codes that ended this long ago: none can be redeemed again. */
export async function deleteOldRedemptions(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from promo_redemptions where id in (
      select r.id from promo_redemptions r join promo_codes p on p.id = r.promo_id
      where coalesce(p.deactivated_at, p.expires_at) < now() - make_interval(days => ${days}::int)
      limit ${limit} for update of r skip locked)`,
  );
}

const madeRow = defineRow({ made: integer() });

/** Creates missing partitions for the current month of usage and the next ones, if possible now. */
export async function createUsageMonths(tx: Executor, ahead: number): Promise<number> {
  const [row] = await madeRow.read(tx.execute(sql`select create_usage_months(${ahead}::int) as made`));
  return row?.made ?? 0;
}

/** The start of the retained usage: this many whole months before the current one, UTC. */
function getRetentionStart(months: number): SQL {
  return sql`(date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${months}::int)) at time zone 'UTC'`;
}

const monthRow = defineRow({ month: text() });

/** The first days of usage months past their retention, oldest first. */
export async function listOldUsageMonths(db: Executor, months: number): Promise<string[]> {
  const rows = await monthRow.read(
    db.execute(sql`
      select to_char(m.month, 'YYYY-MM-DD') as month from (
        select to_date(right(c.relname, 7), 'YYYY_MM') as month
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'usage_records'::regclass and c.relname ~ '^usage_records_[0-9]{4}_[0-9]{2}$'
      ) m where m.month::timestamp at time zone 'UTC' < ${getRetentionStart(months)} order by m.month`),
  );
  return rows.map((row) => row.month);
}

/** @throws lock_not_available if the table is in use for longer than a moment */
export async function dropUsageMonth(tx: Executor, month: string): Promise<void> {
  await tx.execute(sql`select drop_usage_month(${month}::date)`);
}

/**
 * Deletes old rows of the default partition, after recording from when on the usage is complete.
 */
export async function deleteOldStrayUsage(tx: Executor, months: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`with mark as (
      insert into retention_marks as m (what, kept_from)
      select 'usage_records', ${getRetentionStart(months)} where exists (
        select 1 from usage_records_default where created_at < ${getRetentionStart(months)})
      on conflict (what) do update set kept_from = greatest(m.kept_from, excluded.kept_from)
    )
    delete from usage_records_default where (account_id, id, created_at) in (
      select account_id, id, created_at from usage_records_default where created_at < ${getRetentionStart(months)}
      limit ${limit} for update skip locked)`,
  );
}

/**
 * Unclaimed provisional accounts without balance, hold or debt, with keys unused for this long.
 * Accounts with ledger entries are kept, because the ledger must stay complete.
 */
function isUnclaimedSince(days: number): SQL {
  const since = sql`now() - make_interval(days => ${days}::int)`;
  return sql`a.type = 'provisional' and a.claimed_at is null and a.created_at < ${since}
    and a.balance_microusd = 0 and a.held_microusd = 0 and a.debt_microusd = 0
    and not exists (select 1 from ledger_entries e where e.account_id = a.id)
    and not exists (select 1 from api_keys k where k.account_id = a.id
      and (k.running > 0 or k.created_at >= ${since} or k.last_used_at >= ${since}))
    and not exists (select 1 from jobs j where j.account_id = a.id and j.finished_at is null)
    and not exists (select 1 from assets s where s.account_id = a.id and s.created_at >= ${since})
    and not exists (select 1 from idempotency_keys i where i.account_id = a.id and i.finished_at is null
      and i.lease_expires_at >= now())`;
}

const idRow = defineRow({ id: text() });

/** Lists such accounts in pages, in id order; `after` is the previous page's last id. */
export async function listUnclaimed(
  db: Executor,
  days: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await idRow.read(
    db.execute(sql`
      select a.id from accounts a where ${isUnclaimedSince(days)} and a.id > ${after} order by a.id limit ${limit}`),
  );
  return rows.map((row) => row.id);
}

/** Locks one such account, keys first as calls and claims do; false if it no longer qualifies. */
export async function lockUnclaimed(tx: Executor, accountId: string, days: number): Promise<boolean> {
  await tx.execute(sql`select 1 from api_keys where account_id = ${accountId} order by id for update`);
  await tx.execute(sql`select 1 from accounts where id = ${accountId} for update`);
  // A separate statement, to see what previous lock holders have committed.
  const rows = await tx.execute(
    sql`select 1 from accounts a where a.id = ${accountId} and ${isUnclaimedSince(days)}`,
  );
  return rows.length > 0;
}

/** Deletes an account with all its rows and reviews. Files are deleted first, elsewhere. */
export async function deleteAccountRows(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`delete from jobs where account_id = ${accountId}`);
  await tx.execute(sql`delete from idempotency_keys where account_id = ${accountId}`);
  await tx.execute(sql`delete from usage_records where account_id = ${accountId}`);
  await tx.execute(sql`delete from usage_rollups where account_id = ${accountId}`);
  await tx.execute(sql`delete from usage_days where account_id = ${accountId}`);
  await deleteRefusals(tx, accountId);
  await tx.execute(sql`delete from outgoing_emails where account_id = ${accountId}`);
  // None are expected, but a leftover row must not block the rest of the sweep.
  await tx.execute(sql`delete from orders where account_id = ${accountId}`);
  await tx.execute(sql`delete from payment_profiles where account_id = ${accountId}`);
  await tx.execute(sql`
    delete from webhook_secrets where holder_id in (select id from api_keys where account_id = ${accountId})`);
  await forgetWebhooks(tx, accountId);
  await tx.execute(sql`delete from api_keys where account_id = ${accountId}`);
  await tx.execute(sql`delete from accounts where id = ${accountId}`);
}

/** Deletes the counts of refused calls this old. */
export async function deleteOldRefusalMinutes(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from refusal_minutes where ctid = any(array(
      select ctid from refusal_minutes where minute < now() - make_interval(days => ${days}::int)
      limit ${limit} for update skip locked))`,
  );
}

/** Deletes descriptions of refused calls this old, and those that were written after a deletion. */
export async function deleteOldRefusals(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from refusals where ctid = any(array(
      select r.ctid from refusals r where r.at < now() - make_interval(days => ${days}::int)
        or exists (select 1 from accounts a where a.id = r.account_id and a.closed_at is not null)
      limit ${limit} for update skip locked))`,
  );
}

async function count(tx: Executor, deletion: SQL): Promise<number> {
  return (await tx.execute(deletion)).count;
}

/** Deletes payment provider events received this long ago; their effects are in the ledger. */
export async function deleteOldPaymentEvents(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from payment_events where id in (
      select id from payment_events where received_at < now() - make_interval(days => ${days}::int)
      limit ${limit} for update skip locked)`,
  );
}

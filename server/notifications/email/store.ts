import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import type { ReloadCap } from '@/db/schema/accounts';
import type { outgoingEmails, PaymentMode } from '@/db/schema/payments';
import type { SpendPeriod } from '../../core/limits/key-rules';

type OutgoingEmail = typeof outgoingEmails.$inferSelect;
export type EmailKind = OutgoingEmail['kind'];

/** An email that this process has leased: no other process takes it before it is due again. */
const leasedEmailRow = defineRow({
  id: bigint(),
  kind: text<EmailKind>(),
  account_id: text(),
  ref: text().nullable(),
  attempts: integer(),
});
export type LeasedEmail = RowOf<typeof leasedEmailRow>;

/** The facts in an email, read when it is sent. */
const emailFactsRow = defineRow({
  name: text(),
  slug: text().nullable(),
  closed: boolean(),
  free: bigint(),
  auto_reload_enabled: boolean(),
  /** Whether there is a saved card that auto-recharge could charge. */
  has_card: boolean(),
  threshold: bigint(),
  /** When a declined card is retried, in Unix seconds; null if no retry is scheduled. */
  retry_at: float().nullable(),
  /** The cap that turned auto-recharge off; null if it is on or another cause turned it off. */
  cap: text<ReloadCap>().nullable(),
  daily_limit: bigint(),
  /** Of the order or payment that the email is about, if any. */
  total_cents: integer().nullable(),
  credits: bigint().nullable(),
  fee: bigint().nullable(),
  failure_code: text().nullable(),
  card_brand: text().nullable(),
  card_last4: text().nullable(),
  /** For example `Visa •••• 4242`, of a payment. */
  paid_with: text().nullable(),
  paid_at: float().nullable(),
  /** Of the webhook endpoint that the email is about, if any. */
  webhook_url: text().nullable(),
  webhook_gone: boolean(),
  budget_limit: bigint().nullable(),
  month_spent: bigint(),
  /** Of an alert of the monthly limit; null once the limit or the month has changed. */
  alert_percent: integer().nullable(),
  /** Of the limit of a key that refused a call; all null once it or the period has changed. */
  key_id: text().nullable(),
  key_name: text().nullable(),
  key_period: text<SpendPeriod | 'total'>().nullable(),
  key_limit: bigint().nullable(),
  key_spent: bigint().nullable(),
  /** Of the limit of a team's member that refused a call; null once it or the month has changed. */
  member_email: text().nullable(),
  member_limit: bigint().nullable(),
  member_spent: bigint().nullable(),
});
export type EmailFacts = RowOf<typeof emailFactsRow>;

/**
 * Whether two emails have the same cause: the payment for disputes and receipts, the endpoint for
 * webhooks, month, limit and percentage for alerts, the limit of a key or member, otherwise account
 * and kind.
 */
const SAME_CAUSE = sql`other.account_id = mail.account_id and other.kind = mail.kind
  and (mail.kind not in ('dispute_opened', 'webhook_disabled', 'limit_alert', 'key_blocked', 'member_blocked', 'receipt') or other.ref is not distinct from mail.ref)`;

/**
 * Leases the email that has been due longest. Emails of one cause are taken one after the other, so
 * that each knows when the previous one was sent.
 * @returns null if none is due
 */
export async function leaseEmail(
  db: Executor,
  { leaseSeconds, maxAttempts }: { leaseSeconds: number; maxAttempts: number },
): Promise<LeasedEmail | null> {
  const [row] = await leasedEmailRow.read(
    db.execute(sql`
      update outgoing_emails set attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds}::int)
      where id = (
        select id from outgoing_emails mail
        where sent_at is null and due_at <= now() and attempts < ${maxAttempts}
          and not exists (select 1 from outgoing_emails other where ${SAME_CAUSE}
            and other.id < mail.id and other.sent_at is null and other.attempts < ${maxAttempts})
        order by due_at limit 1 for update skip locked)
      returning id, kind, account_id, ref, attempts`),
  );
  return row ?? null;
}

/** Marks an email as sent, and deletes the waiting ones of the same cause: it has reported that. */
export async function markSent(db: Executor, id: bigint): Promise<void> {
  await db.execute(sql`
    with mail as (update outgoing_emails set sent_at = now(), error = null where id = ${id} returning *)
    delete from outgoing_emails other using mail
    where ${SAME_CAUSE} and other.id <> mail.id and other.sent_at is null`);
}

const secondsRow = defineRow({ seconds: float().nullable() });

/**
 * Seconds until an email of the same cause may be sent again, one day after the last; 0 for now.
 */
export async function getSecondsUntilNext(db: Executor, id: bigint): Promise<number> {
  const [row] = await secondsRow.read(
    db.execute(sql`
      select ceil(extract(epoch from max(other.sent_at) + interval '1 day' - now()))::float8 as seconds
      from outgoing_emails mail join outgoing_emails other on ${SAME_CAUSE}
      where mail.id = ${id}`),
  );
  return Math.max(row?.seconds ?? 0, 0);
}

/** Deletes an email that is no longer worth sending. */
export async function deleteEmail(db: Executor, id: bigint): Promise<void> {
  await db.execute(sql`delete from outgoing_emails where id = ${id}`);
}

/**
 * Makes an email due again after some seconds.
 * @param error why sending failed, for the operator; null if nothing failed
 */
export async function postponeEmail(
  db: Executor,
  id: bigint,
  seconds: number,
  error: string | null,
): Promise<void> {
  await db.execute(sql`
    update outgoing_emails set due_at = now() + make_interval(secs => ${seconds}::int), error = ${error}
    where id = ${id}`);
}

const requeuedRow = defineRow({ account_id: text() });

/**
 * Makes an unsent email due now with its attempts reset, and wakes the processes that send.
 * @returns the account of the email; null if there is no such email
 */
export async function requeueEmail(tx: Executor, id: bigint): Promise<{ account_id: string } | null> {
  const [row] = await requeuedRow.read(
    tx.execute(sql`
      update outgoing_emails set attempts = 0, due_at = now() where id = ${id} and sent_at is null
      returning account_id`),
  );
  if (row) await tx.execute(sql`select pg_notify('gateway', 'money')`);
  return row ?? null;
}

/**
 * Gives up the emails that are due, because there is no mail server: next week they are outdated.
 * @returns how many
 */
export async function abandonDue(db: Executor, maxAttempts: number): Promise<number> {
  const given = await db.execute(sql`
    update outgoing_emails set attempts = ${maxAttempts}, error = 'No mail server is set up (SMTP_URL).'
    where sent_at is null and due_at <= now() and attempts < ${maxAttempts} returning id`);
  return given.length;
}

/** @param mode in which cards are charged now; null if payments are off */
export async function findEmailFacts(
  db: Executor,
  { account_id: accountId, ref }: Pick<LeasedEmail, 'account_id' | 'ref'>,
  mode: PaymentMode | null,
): Promise<EmailFacts | null> {
  const [row] = await emailFactsRow.read(
    db.execute(sql`
      select a.name, a.slug, a.closed_at is not null as closed,
        a.balance_microusd - a.held_microusd - a.debt_microusd as free, a.auto_reload_enabled,
        exists (select 1 from payment_profiles f
          where f.account_id = a.id and f.mode = ${mode} and f.payment_method_id is not null) as has_card,
        a.reload_threshold_microusd as threshold,
        nullif(a.reload_stopped_reason, 'declined') as cap, a.reload_daily_limit_microusd as daily_limit,
        extract(epoch from a.reload_not_before_at)::float8 as retry_at,
        o.total_cents, o.credits_microusd as credits, o.fee_microusd as fee, o.failure_code, c.card_brand, c.card_last4,
        p.paid_with, extract(epoch from p.paid_at)::float8 as paid_at,
        w.url as webhook_url, coalesce(w.disabled_reason = 'gone', false) as webhook_gone,
        a.budget_limit_microusd as budget_limit, a.month_spent_microusd as month_spent,
        case when split_part(${ref}::text, ':', 1) = a.month_start::text
          and a.month_start = date_trunc('month', now() at time zone 'UTC')::date
          and split_part(${ref}::text, ':', 3) = a.budget_limit_microusd::text
          then substring(${ref}::text from ':(\\d+):')::int end as alert_percent,
        k.id as key_id, k.name as key_name, k.period as key_period, k.max as key_limit, k.spent as key_spent,
        m.email as member_email, m.spend_limit as member_limit, m.spent as member_spent
      from accounts a
        left join lateral (
          select k.id, k.name, 'total' as period, k.credits_microusd as max, k.credits_used_microusd as spent
          from api_keys k where k.id = split_part(${ref}::text, ':', 1) and k.account_id = a.id and k.revoked_at is null
            and key_alert_ref(k, true) = ${ref}
          union all
          select k.id, k.name, k.spend_period, k.spend_limit_microusd,
            spend_in_period(k.spend_microusd, k.spend_since, k.spend_period, now())
          from api_keys k where k.id = split_part(${ref}::text, ':', 1) and k.account_id = a.id and k.revoked_at is null
            and key_alert_ref(k, false) = ${ref}
        ) k on true
        left join lateral (
          select u.email, m.spend_limit_microusd as spend_limit,
            spend_in_period(m.spend_microusd, m.spend_since, 'month', now()) as spent
          from memberships m join users u on u.id = m.user_id
          where m.account_id = a.id and m.user_id = split_part(${ref}::text, ':', 1)
            and date_trunc('month', now() at time zone 'UTC')::date::text = split_part(${ref}::text, ':', 2)
            and m.spend_limit_microusd::text = split_part(${ref}::text, ':', 3)
        ) m on true
        left join webhook_endpoints w on w.id = ${ref} and w.account_id = a.id and w.disabled_at is not null
        left join payments p on p.id = ${ref} and p.account_id = a.id
        left join orders o on o.id in (${ref}, p.order_id) and o.account_id = a.id
        left join payment_profiles c on c.account_id = a.id and c.mode = o.mode
          and c.payment_method_id = o.payment_method_id
      where a.id = ${accountId}`),
  );
  return row ?? null;
}

const recipientRow = defineRow({ email: text() });

/**
 * The managers of an account: its owner, and a team's admins; also the member that the email is
 * about. Deleted users have no address.
 */
export async function listRecipients(
  db: Executor,
  { kind, account_id: accountId, ref }: Pick<LeasedEmail, 'account_id' | 'kind' | 'ref'>,
  limit: number,
): Promise<string[]> {
  const member = kind === 'member_blocked' ? (ref?.split(':')[0] ?? null) : null;
  const rows = await recipientRow.read(
    db.execute(sql`
      select u.email from accounts a join users u on u.id = a.owner_user_id
        or (a.type = 'team' and exists (select 1 from memberships m
          where m.account_id = a.id and m.user_id = u.id and (m.role in ('owner', 'admin') or m.user_id = ${member}::text)))
      where a.id = ${accountId} and u.email not like '%@deleted.invalid'
      order by u.id <> a.owner_user_id, u.id limit ${limit}`),
  );
  return rows.map(({ email }) => email);
}

/** The billing email of an account; null if it has none. */
export async function findBillingEmail(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await recipientRow.read(
    db.execute(sql`
      select billing_email as email from billing_details where account_id = ${accountId} and billing_email is not null`),
  );
  return row?.email ?? null;
}

import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, text } from '@/db/rows';

/** Rows per query. */
const PAGE = 500;

const lineRow = defineRow({ cursor: text(), line: text() });

/** The person of an export, and their personal account. */
export interface ExportSubject {
  userId: string;
  accountId: string;
}

/** `columns` become the fields of the file, by their names; no secret or hash is among them. */
interface Section {
  columns: SQL;
  from: SQL;
  where: (subject: ExportSubject) => SQL;
  /** Sorts the rows, and identifies one. */
  cursor: SQL;
  /** The type of `cursor`, to compare it with a later page's start. */
  type?: 'text' | 'bigint';
}

const byAccount = ({ accountId }: ExportSubject) => sql`t.account_id = ${accountId}`;
const byUser = ({ userId }: ExportSubject) => sql`t.user_id = ${userId}`;
const BY_ID = sql`t.id`;

/** The lists of the file, in order. */
export const SECTIONS = {
  sign_in_providers: {
    columns: sql`t.provider, t.provider_account_id`,
    from: sql`identities t`,
    where: byUser,
    cursor: sql`t.provider || ':' || t.provider_account_id`,
  },
  sessions: {
    columns: sql`t.created_at, t.last_used_at, t.expires as expires_at, t.user_agent, t.client_ip`,
    from: sql`sessions t`,
    where: byUser,
    cursor: sql`t.session_token`,
  },
  email_changes: {
    columns: sql`t.old_email, t.new_email, t.created_at, t.confirmed_at, t.ended_at`,
    from: sql`email_changes t`,
    where: byUser,
    cursor: sql`encode(t.confirm_hash, 'hex')`,
  },
  teams: {
    columns: sql`a.id, a.name, a.slug, t.role, t.created_at as joined_at`,
    from: sql`memberships t join accounts a on a.id = t.account_id and a.type = 'team'`,
    where: byUser,
    cursor: sql`t.account_id`,
  },
  connected_applications: {
    columns: sql`t.id, c.name, t.redirect_uri, t.key_id, t.created_at`,
    from: sql`oauth_grants t join oauth_clients c on c.id = t.client_id`,
    where: byUser,
    cursor: BY_ID,
  },
  keys: {
    columns: sql`t.id, t.kind, t.name, t.mask, t.credits_microusd, t.credits_used_microusd, t.expires_at,
      t.allowed_tools, t.allowed_ips, t.tags, t.revoked_at, t.last_used_at, t.created_at`,
    from: sql`api_keys t`,
    where: byAccount,
    cursor: BY_ID,
  },
  provider_keys: {
    columns: sql`t.id, t.slot as provider, t.label, t.mask, t.last_used_at, t.created_at`,
    from: sql`credentials t`,
    where: byAccount,
    cursor: BY_ID,
  },
  calls: {
    columns: sql`t.id, t.key_id, t.billing, t.tool, t.skill, t.status, t.raw_cost_microusd, t.markup_microusd,
      t.byok, t.latency_ms, t.error_code, t.error_message, t.hold_microusd, t.job_id, t.request_id, t.client_address,
      t.created_at, t.finished_at`,
    from: sql`usage_records t`,
    where: byAccount,
    cursor: BY_ID,
  },
  refused_calls: {
    columns: sql`t.id, t.key_id, t.tool, t.skill, t.code, t.message, t.request_id, t.client_address, t.at`,
    from: sql`refusals t`,
    where: byAccount,
    cursor: BY_ID,
  },
  refusals_by_minute: {
    columns: sql`t.minute, t.key_id, t.code, t.limit_name, t.tool, t.refused, t.last_at`,
    from: sql`refusal_minutes t`,
    where: byAccount,
    cursor: sql`extract(epoch from t.minute)::bigint::text || ' ' || concat_ws(' ', t.key_id, t.code, t.limit_name, t.tool)`,
  },
  ledger: {
    columns: sql`t.id, t.kind, t.ref, t.amount_microusd, t.memo, t.created_at`,
    from: sql`ledger_entries t`,
    where: byAccount,
    cursor: BY_ID,
    type: 'bigint',
  },
  orders: {
    columns: sql`t.id, t.kind, t.mode, t.status, t.credits_microusd, t.fee_microusd, t.total_cents, t.payment_id,
      t.failure_code, t.created_at, t.finished_at`,
    from: sql`orders t`,
    where: byAccount,
    cursor: BY_ID,
  },
  payments: {
    columns: sql`t.id, t.order_id, t.mode, t.total_cents, t.credits_microusd, t.fee_microusd, t.refunded_cents,
      t.disputed_cents, t.receipt_number, t.customer, t.paid_with, t.paid_at`,
    from: sql`payments t`,
    where: byAccount,
    cursor: BY_ID,
  },
  billing_details: {
    columns: sql`t.company_name, t.address, t.vat_id, t.billing_email, t.updated_at`,
    from: sql`billing_details t`,
    where: byAccount,
    cursor: sql`t.account_id`,
  },
  invoices: {
    columns: sql`t.id, t.kind, t.number, t.mode, t.payment_id, t.total_cents, t.document, t.issued_at`,
    from: sql`invoices t`,
    where: byAccount,
    cursor: BY_ID,
  },
  promo_redemptions: {
    columns: sql`t.id, t.amount_microusd, t.created_at`,
    from: sql`promo_redemptions t`,
    where: byUser,
    cursor: BY_ID,
  },
  reviews: {
    columns: sql`t.id, t.tool, t.rating, t.review, t.created_at, t.updated_at`,
    from: sql`reviews t`,
    where: byAccount,
    cursor: BY_ID,
  },
  webhook_endpoints: {
    columns: sql`t.id, t.url, t.description, t.events, t.disabled_at, t.disabled_reason, t.created_at`,
    from: sql`webhook_endpoints t`,
    where: byAccount,
    cursor: BY_ID,
  },
  assets: {
    columns: sql`t.id, t.call_id, t.tool, t.skill, t.filename, t.content_type, t.size_bytes, t.sha256,
      t.created_at, t.expires_at`,
    from: sql`assets t`,
    where: (subject) => sql`${byAccount(subject)} and t.stored_at is not null and t.deleted_at is null`,
    cursor: BY_ID,
  },
  audit_events: {
    columns: sql`t.id, t.action, t.target, t.details, t.created_at`,
    from: sql`audit_events t`,
    where: ({ userId }) => sql`t.actor = ${`user:${userId}`}`,
    cursor: BY_ID,
  },
} satisfies Record<string, Section>;

export type SectionName = keyof typeof SECTIONS;

/**
 * Reads a list as JSON, page by page, each row with its `cursor`. PostgreSQL writes the numbers, so
 * that none is rounded.
 */
export async function* readSection(
  db: Executor,
  name: SectionName,
  subject: ExportSubject,
): AsyncGenerator<{ id: string; line: string }[]> {
  const { columns, from, where, cursor, type = 'text' }: Section = SECTIONS[name];
  const collated = type === 'bigint' ? cursor : sql`(${cursor}) collate "C"`;
  let after: string | null = null;
  for (;;) {
    const start: SQL =
      after === null
        ? sql``
        : type === 'bigint'
          ? sql`and ${collated} > ${after}::bigint`
          : sql`and ${collated} > ${after}`;
    const rows: { cursor: string; line: string }[] = await lineRow.read(
      db.execute(sql`
        select ${cursor}::text as cursor,
          (select row_to_json(fields)::text from (select ${columns}) as fields) as line
        from ${from} where ${where(subject)} ${start} order by ${collated} limit ${PAGE}`),
    );
    yield rows.map((row) => ({ id: row.cursor, line: row.line }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.cursor;
  }
}

const profileRow = defineRow({ profile: text(), account: text() });

/** The person and their account as JSON objects; null if the account is closed. */
export async function readProfile(db: Executor, { userId, accountId }: ExportSubject) {
  const [row] = await profileRow.read(
    db.execute(sql`
      select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'image', u.image,
          'created_at', u.created_at, 'second_factor_since', f.confirmed_at)::text as profile,
        json_build_object('id', a.id, 'name', a.name, 'balance_microusd', a.balance_microusd,
          'debt_microusd', a.debt_microusd, 'monthly_limit_microusd', a.budget_limit_microusd,
          'auto_reload_enabled', a.auto_reload_enabled, 'created_at', a.created_at)::text as account
      from users u join accounts a on a.id = ${accountId} and a.closed_at is null
        left join second_factors f on f.user_id = u.id
      where u.id = ${userId}`),
  );
  return row ?? null;
}

/** Lets a session download the data for a while. */
export async function allowExport(tx: Executor, sessionId: string, seconds: number): Promise<void> {
  await tx.execute(sql`
    update sessions set export_until = now() + make_interval(secs => ${seconds}::int)
    where session_token = ${sessionId}`);
}

const endRow = defineRow({ email: text() });

/** Takes the permission of a session, which allows one download. */
export async function takeExport(tx: Executor, sessionId: string): Promise<boolean> {
  const rows = await endRow.read(
    tx.execute(sql`
      update sessions s set export_until = null from users u
      where s.session_token = ${sessionId} and s.export_until > now() and u.id = s.user_id returning u.email`),
  );
  return rows.length > 0;
}

/** @returns the address of a person */
export async function findEmail(db: Executor, userId: string): Promise<string | null> {
  const rows = await endRow.read(db.execute(sql`select email from users where id = ${userId}`));
  return rows[0]?.email ?? null;
}

import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, defineRow, float, integer, type RowOf, text, timestamptz } from '@/db/rows';
import { NOT_SEEDED } from '../../catalog/tools/not-seeded';

const moneyRow = defineRow({
  total: integer(),
  provisional: integer(),
  frozen: integer(),
  teams: integer(),
  credit: bigint(),
  held: bigint(),
  debt: bigint(),
  in_debt: integer(),
  disputed: integer(),
});
type MoneyRow = RowOf<typeof moneyRow>;

/** Counts and sums all open accounts in one statement. */
export async function sumAccounts(db: Executor): Promise<MoneyRow> {
  const [row] = await moneyRow.read(
    db.execute(sql`
      select count(*)::int as total, count(*) filter (where type = 'provisional')::int as provisional,
        count(*) filter (where frozen_at is not null)::int as frozen, count(*) filter (where type = 'team')::int as teams,
        coalesce(sum(balance_microusd), 0)::bigint as credit, coalesce(sum(held_microusd), 0)::bigint as held,
        coalesce(sum(debt_microusd), 0)::bigint as debt, count(*) filter (where debt_microusd > 0)::int as in_debt,
        count(*) filter (where disputed_at is not null)::int as disputed
      from accounts where closed_at is null`),
  );
  if (!row) throw new Error('A sum gave no row');
  return row;
}

const stateRow = defineRow({
  active_keys: integer(),
  failed_webhooks: integer(),
  failed_mails: integer(),
  open_refunds: integer(),
  bytes: float(),
  processes: integer(),
});
type StateRow = RowOf<typeof stateRow>;

export async function readState(db: Executor): Promise<StateRow> {
  const [row] = await stateRow.read(
    db.execute(sql`
      select (select count(*)::int from api_keys where revoked_at is null) as active_keys,
        (select count(*)::int from payment_events where outcome is null and error is not null) as failed_webhooks,
        (select count(*)::int from outgoing_emails where sent_at is null and error is not null) as failed_mails,
        (select count(*)::int from refunds where status = 'open') as open_refunds,
        pg_database_size(current_database())::float8 as bytes,
        (select count(*)::int from pg_stat_activity
          where datname = current_database() and query ilike 'listen "gateway"%') as processes`),
  );
  if (!row) throw new Error('A count gave no row');
  return row;
}

const depthRow = defineRow({
  running: integer(),
  queued: integer(),
  stuck: integer(),
  oldest: timestamptz().nullable(),
});
export type DepthRow = RowOf<typeof depthRow>;

/** The unfinished jobs of all accounts. */
export async function readQueueDepth(db: Executor): Promise<DepthRow> {
  const [row] = await depthRow.read(
    db.execute(sql`
      select count(*) filter (where j.status = 'running')::int as running,
        count(*) filter (where j.status = 'pending')::int as queued,
        count(*) filter (where coalesce(c.lease_expires_at, j.lease_expires_at) < now())::int as stuck,
        min(j.created_at) as oldest
      from jobs j left join calls c on c.id = j.call_id where j.finished_at is null`),
  );
  return row ?? { running: 0, queued: 0, stuck: 0, oldest: null };
}

const toolRow = defineRow({ tool: text() });

/**
 * Tools that recently failed more than half of at least five calls; invalid input does not count.
 */
export async function listFailing(db: Executor): Promise<string[]> {
  const rows = await toolRow.read(
    db.execute(sql`
      select tool from usage_rollups where hour >= date_trunc('hour', now() - interval '1 hour') and ${NOT_SEEDED}
      group by tool having sum(calls - refused) >= 5 and sum(failed - refused) * 2 > sum(calls - refused) order by tool`),
  );
  return rows.map(({ tool }) => tool);
}

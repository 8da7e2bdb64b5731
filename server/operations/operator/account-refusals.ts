import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, float, text } from '@/db/rows';
import type { Runtime } from '../../core/runtime';
import { listBlocked } from '../../usage/blocked-store';
import { toTime } from '../../usage/describe-record';
import { MAX_ACCOUNT_REFUSALS, REFUSALS_DAYS } from './limits';
import type { AccountDetail } from './schema';

const reasonRow = defineRow({
  key_id: text(),
  code: text(),
  limit_name: text(),
  refused: float(),
  last_ms: float(),
});

/**
 * The refused calls of an account's keys by key and reason, the last refused first. Without their
 * messages, which may quote what a caller sent.
 */
export async function listAccountRefusals(
  { db }: Pick<Runtime, 'db'>,
  accountId: string,
): Promise<AccountDetail['refusals']> {
  const [rows, blocked] = await Promise.all([readReasons(db, accountId), listBlocked(db, accountId)]);
  const inForce = new Map(blocked.map((row) => [nameReason(row), row]));
  return rows.map((row) => {
    const limit = inForce.get(nameReason(row));
    return {
      key_id: row.key_id || null,
      error_code: row.code,
      limit: row.limit_name || null,
      refused: row.refused,
      last_at: toTime(row.last_ms),
      in_force: limit !== undefined,
      retry_at: limit?.retry_ms == null ? null : toTime(limit.retry_ms),
    };
  });
}

function nameReason(row: { key_id: string; code: string; limit_name: string }): string {
  return `${row.key_id} ${row.code} ${row.limit_name}`;
}

async function readReasons(db: Executor, accountId: string) {
  return await reasonRow.read(
    db.execute(sql`
      select key_id, code, limit_name, sum(refused)::float8 as refused,
        (extract(epoch from max(last_at)) * 1000)::float8 as last_ms
      from refusal_minutes
      where account_id = ${accountId} and minute > now() - make_interval(days => ${REFUSALS_DAYS})
      group by 1, 2, 3 order by max(last_at) desc, 1, 2, 3 limit ${MAX_ACCOUNT_REFUSALS}`),
  );
}

import { ERRORS, type ErrorCode } from '../core/errors/catalogue';
import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { chooseAccount } from '../money/billing/choose-account';
import type { Attention } from './attention-schema';
import { type BlockedRow, listBlocked, listLastMessages, listReasons } from './blocked-store';
import { MAX_ATTENTION_ROWS } from './limits';
import { resolvePeriod } from './period';
import type { UsageFilter } from './schema';
import { listToolProviders } from './tool-providers';

/** Limits that several keys share: of the account, or of a member in a team. */
const SHARED_LIMITS: ReadonlySet<string> = new Set(['account', 'debt', 'month', 'member']);

/**
 * Lists what refuses calls of an account now, and which calls of the last 24 hours were refused
 * for a reason that is not repaired.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team
 */
export async function getAttention(
  runtime: Pick<Runtime, 'catalog' | 'db' | 'ports'>,
  actor: SessionActor,
  billing: UsageFilter['billing'],
): Promise<Attention> {
  const { id } = await chooseAccount(runtime, actor, billing, 'member');
  const span = resolvePeriod({ period: '24h' }, runtime.ports.clock.now(), null);
  const [blocked, reasons, messages] = await Promise.all([
    listBlocked(runtime.db, id),
    listReasons(runtime.db, { accountIds: [id] }, span, listToolProviders(runtime)),
    listLastMessages(runtime.db, id),
  ]);
  const now = groupLimits(blocked);
  const inForce = new Set(blocked.map((row) => `${row.key_id} ${row.code} ${row.limit_name}`));
  const lastOf = new Map(messages.map((row) => [`${row.key_id} ${row.code} ${row.tool}`, row]));
  const past = reasons
    .filter((row) => !row.repaired && !inForce.has(`${row.key_id} ${row.code} ${row.limit_name}`))
    .map((row) => {
      const last = lastOf.get(`${row.key_id} ${row.code} ${row.last_tool}`);
      const tool = row.only_tool || null;
      return {
        ...{ key_id: row.key_id || null, key_name: row.key_name ?? 'Other', kind: row.kind },
        ...{ error_code: row.code, limit: row.limit_name || null, tool, tools: row.tools },
        skill: tool === null ? null : last?.skill || null,
        message: hasTellingMessage(row.code) ? (last?.message ?? null) : null,
        ...{ refused: row.refused, last_at: toTime(row.last_ms), is_input: isInput(row.code) },
      };
    });
  return {
    now: now.slice(0, MAX_ATTENTION_ROWS),
    now_left_out: Math.max(0, now.length - MAX_ATTENTION_ROWS),
    past: past.slice(0, MAX_ATTENTION_ROWS),
    past_left_out: Math.max(0, past.length - MAX_ATTENTION_ROWS),
  };
}

/** One row per key, with the limit that lasts longest, or per limit that the keys share. */
function groupLimits(blocked: readonly BlockedRow[]): Attention['now'] {
  const groups = new Map<string, BlockedRow[]>();
  for (const row of new Map(blocked.map((each) => [each.key_id, each])).values()) {
    const name = SHARED_LIMITS.has(row.limit_name) ? `${row.code} ${row.limit_name}` : row.key_id;
    const rows = groups.get(name);
    if (rows) rows.push(row);
    else groups.set(name, [row]);
  }
  return [...groups.values()]
    .flatMap((rows) => {
      const [row] = rows;
      if (!row) return [];
      const key = rows.length > 1 ? null : { id: row.key_id, name: row.key_name, kind: row.kind };
      return {
        ...{ key_id: key?.id ?? null, key_name: key?.name ?? null, kind: key?.kind ?? null },
        ...{ error_code: row.code, limit: row.limit_name, keys: rows.length },
        refused: rows.reduce((sum, { refused }) => sum + refused, 0),
        since: toTime(Math.min(...rows.map(({ since_ms }) => since_ms))),
        last_at: toTime(Math.max(...rows.map(({ last_ms }) => last_ms))),
        retry_at: row.retry_ms === null ? null : toTime(row.retry_ms),
      };
    })
    .sort((a, b) => (a.last_at < b.last_at ? 1 : -1));
}

/** Whether the message says more than the code: what was wrong, or which provider is missing. */
function hasTellingMessage(code: string): boolean {
  return isInput(code) || code === 'MISSING_CREDENTIALS';
}

/** Whether the call itself was wrong, not its key or account. */
function isInput(code: string): boolean {
  const { type } = ERRORS[code as ErrorCode] ?? { type: 'server' };
  return type === 'validation' || type === 'not_found' || code === 'COST_LIMIT_EXCEEDED';
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

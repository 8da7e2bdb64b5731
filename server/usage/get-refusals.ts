import type { Executor } from '@/db/client';
import { REFUSAL_DAYS } from '../calls/refusals/limits';
import type { Runtime } from '../core/runtime';
import type { Actor, SessionActor } from '../core/trpc/actor';
import { chooseVisibleKey } from '../identity/keys/choose-visible-key';
import { chooseAccount } from '../money/billing/choose-account';
import type { BlockedKeys } from './attention-schema';
import { type BlockedRow, listBlocked, listReasons, type ReasonRow } from './blocked-store';
import { readFilter } from './get-report';
import { periodStart } from './get-usage';
import { type KeyLabel, readKeyLabels } from './key-labels';
import { MAX_REFUSAL_ROWS } from './limits';
import { listBuckets, resolvePeriod, type Span, type Unit } from './period';
import type { RefusalReport, UsageRefusals, UsageRefusalsInput } from './refusals-schema';
import { countRefusals, listRefusals, type RefusalRow } from './refusals-store';
import type { ReportFilter } from './report-store';
import type { UsageFilter } from './schema';
import { listToolProviders } from './tool-providers';
import { sumTrends } from './trends';

const DAY_MS = 86_400_000;

/**
 * Reports the refused calls of the keys of an account.
 * @throws GatewayError as a report of usage does
 */
export async function getRefusalReport(
  runtime: Pick<Runtime, 'catalog' | 'db' | 'ports'>,
  actor: SessionActor,
  filter: UsageFilter,
): Promise<RefusalReport> {
  const { scope, which } = await readFilter(runtime, actor, filter);
  const now = runtime.ports.clock.now();
  const { from, to, unit } = resolvePeriod(filter, now, findOldest(now));
  const roles = new Map(scope.accounts.map(({ id, role }) => [id, role]));
  const [read, reasons, ...blocked] = await Promise.all([
    readRefusals(runtime, actor, which, { from, to, unit }),
    listReasons(runtime.db, which, { from, to }, listToolProviders(runtime)),
    ...scope.accounts.map(({ id }) => listBlocked(runtime.db, id)),
  ]);
  const mayTrace = (accountId: string, key: KeyLabel) =>
    key.is_yours || (roles.get(accountId) ?? 'member') !== 'member';
  return {
    ...describeRefusals(read, { from, to, unit }, mayTrace),
    ...describeReasons(read, reasons, blocked.flat()),
  };
}

/**
 * Reports the refused calls of an account, or of one of its keys, without client addresses.
 * @throws GatewayError NOT_FOUND for a key the actor may not read
 */
export async function getRefusals(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: Actor,
  { period, key_id, tag, tool, error_code: errorCode }: UsageRefusalsInput,
): Promise<UsageRefusals> {
  const keyId = await chooseVisibleKey(runtime, actor, key_id);
  const to = runtime.ports.clock.now();
  const from = periodStart(period, to) ?? findOldest(to);
  const which = { accountIds: [actor.accountId], keyId, tag, tool, errorCode };
  const unit = period === 'day' ? 'hour' : 'day';
  const read = await readRefusals(runtime, actor, which, { from, to, unit });
  const report = describeRefusals(read, { from, to, unit }, () => false);
  return {
    ...report,
    by_key: report.by_key.map(({ key_id: id, name, refused, last_at }) => ({
      key_id: id,
      name,
      refused,
      last_at,
    })),
    last: report.last.map(({ client_address: _, key_name: __, ...refusal }) => refusal),
  };
}

/**
 * Lists the keys of an account whose calls are refused now, with the limit that lasts longest.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team
 */
export async function getBlockedKeys(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  billing: string | undefined,
): Promise<BlockedKeys> {
  const { id } = await chooseAccount(runtime, actor, billing, 'member');
  return { keys: await listBlockedKeys(runtime.db, id) };
}

/** Lists the keys of an account whose calls are refused now; the caller has checked access. */
export async function listBlockedKeys(db: Executor, accountId: string): Promise<BlockedKeys['keys']> {
  const longest = new Map((await listBlocked(db, accountId)).map((row) => [row.key_id, row]));
  return [...longest.values()].map((row) => ({
    key_id: row.key_id,
    error_code: row.code,
    limit: row.limit_name,
    ...describeLimit(row),
    last_at: toTime(row.last_ms),
  }));
}

/** What a limit that refuses now has refused since the last call that it let through. */
function describeLimit({ refused, since_ms: since, retry_ms: retry }: BlockedRow) {
  return { refused, since: toTime(since), retry_at: retry === null ? null : toTime(retry) };
}

/** Since when refused calls are stored. */
export function findOldest(now: Date): Date {
  return new Date(now.getTime() - REFUSAL_DAYS * DAY_MS);
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

interface ReadRefusals {
  rows: RefusalRow[];
  described: Awaited<ReturnType<typeof listRefusals>>;
  label: (keyId: string) => KeyLabel;
}

async function readRefusals(
  { db }: Pick<Runtime, 'db'>,
  actor: Pick<Actor, 'accountId'>,
  which: ReportFilter,
  { from, to, unit }: Span & { unit: Unit },
): Promise<ReadRefusals> {
  const [rows, described] = await Promise.all([
    countRefusals(db, which, { from, to }, unit),
    listRefusals(db, which, { from, to }),
  ]);
  const ids = [...rows, ...described].flatMap(({ key_id: id }) => id ?? []);
  const readLabel = await readKeyLabels({ db }, actor, ids);
  const label = (id: string): KeyLabel => (id === '' ? { ...readLabel(id), name: 'Other' } : readLabel(id));
  return { rows, described, label };
}

/** Refused calls by key, code and limit, the last refused first: in force, repaired, or neither. */
function describeReasons(
  { rows, label }: ReadRefusals,
  judged: readonly ReasonRow[],
  blocked: readonly BlockedRow[],
): Pick<RefusalReport, 'by_reason' | 'reasons_left_out'> {
  const inForce = new Map(blocked.map((row) => [nameReason(row), row]));
  const repairs = new Map(judged.filter(({ repaired }) => repaired).map((row) => [nameReason(row), row]));
  const reasons = rows.filter((row) => row.code !== null && row.key_id !== null);
  return {
    by_reason: reasons
      .sort((a, b) => b.last_ms - a.last_ms || b.refused - a.refused)
      .slice(0, MAX_REFUSAL_ROWS)
      .map((row) => {
        const { name: key_name, kind, is_yours } = label(row.key_id ?? '');
        const limit = inForce.get(nameReason(row));
        const repair = limit ? undefined : repairs.get(nameReason(row));
        return {
          ...{ key_id: row.key_id || null, key_name, kind, is_yours },
          ...{ error_code: row.code ?? '', limit: row.limit_name || null },
          ...{ refused: row.refused, first_at: toTime(row.first_ms), last_at: toTime(row.last_ms) },
          tool: row.only_tool || null,
          in_force: limit ? describeLimit(limit) : null,
          repaired: repair ? describeRepair(repair) : null,
        };
      }),
    reasons_left_out: Math.max(0, reasons.length - MAX_REFUSAL_ROWS),
  };
}

function describeRepair({ repaired_ms: ms, reset }: ReasonRow): { at: string | null; reset: boolean } {
  return { at: ms === null ? null : toTime(ms), reset };
}

function nameReason(row: Pick<RefusalRow, 'key_id' | 'code' | 'limit_name'>): string {
  return `${row.key_id} ${row.code} ${row.limit_name}`;
}

function describeRefusals(
  { rows, described, label }: ReadRefusals,
  { from, to, unit }: Span & { unit: Unit },
  mayTrace: (accountId: string, key: KeyLabel) => boolean,
) {
  const total = rows.find((row) => row.code === null && row.tool === null && row.key_id === null);
  const list = (isOne: (row: RefusalRow) => boolean) =>
    rows
      .filter(isOne)
      .sort((a, b) => b.refused - a.refused || b.last_ms - a.last_ms)
      .slice(0, MAX_REFUSAL_ROWS)
      .map((row) => ({ row, sums: { refused: row.refused, last_at: toTime(row.last_ms) } }));
  const trends = sumTrends(
    rows.filter((row) => row.key_id === null),
    listBuckets({ from, to }, unit),
    ({ code, limit_name: limit }) => (code === null ? null : `${code} ${limit}`),
    ({ refused }) => refused,
  );
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    unit,
    trend_at: trends.at,
    refused: total?.refused ?? 0,
    keys: total?.keys ?? 0,
    last_at: total ? toTime(total.last_ms) : null,
    by_code: list((row) => row.code !== null && row.at === null && row.key_id === null).map(
      ({ row, sums }) => ({
        error_code: row.code ?? '',
        limit: row.limit_name || null,
        keys: row.keys,
        first_at: toTime(row.first_ms),
        trend: trends.of(`${row.code} ${row.limit_name}`),
        ...sums,
      }),
    ),
    by_tool: list((row) => row.tool !== null).map(({ row, sums }) => ({ tool: row.tool || null, ...sums })),
    by_key: list((row) => row.key_id !== null && row.code === null).map(({ row, sums }) => {
      const { key_id: id, name, kind, is_yours } = label(row.key_id ?? '');
      return { key_id: id || null, name, kind, is_yours, ...sums };
    }),
    last: described.map((row) => {
      const key = label(row.key_id);
      return {
        id: row.id,
        at: toTime(row.at_ms),
        request_id: row.request_id,
        key_id: row.key_id || null,
        key_name: key.name,
        tool: row.tool,
        skill: row.skill,
        error_code: row.code,
        message: row.message,
        client_address: mayTrace(row.account_id, key) ? row.client_address : null,
      };
    }),
  };
}

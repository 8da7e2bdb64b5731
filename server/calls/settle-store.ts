import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import type { Quotas, WindowState } from '../core/limits/windows';
import type { Microusd } from '../kit/money';
import type { CloseResult } from './store';

/** Another group was first, and what is left does not do for all of this one. */
const OVERTAKEN = 'TG409';

/** One call that has run before it was decided on, charged to the account of its key. */
export interface SettleRequest {
  id: string;
  keyId: string;
  accountId: string;
  tool: string;
  skill: string;
  /** The most the call can cost: what would have been held. */
  hold: Microusd;
  markup: Microusd;
  raw: Microusd;
  /** Null: it succeeded. */
  errorCode: string | null;
  latencyMs: number;
  /** When it began, in milliseconds since the epoch; the same however often it is sent. */
  begunMs: number;
}

/** What a settled call leaves. */
export interface Settled {
  available: Microusd;
  windows: WindowState;
}

interface SettleRow {
  subject: string;
  fits: boolean;
  available: bigint;
  minute_used: number;
  minute_reset: number;
  hour_used: number;
  hour_reset: number;
}

/** Calls of one key, or of one account. */
interface Sum {
  id: string;
  accountId: string;
  calls: number;
  hold: Microusd;
  cost: Microusd;
  /** Its place in the arrays, from 1. */
  at: number;
}

/** Calls of one key and tool: a line of the roll-up. */
interface Line {
  key: Sum;
  tool: string;
  calls: number;
  failed: number;
  raw: Microusd;
  markup: Microusd;
  latency: number;
}

/**
 * Decides, charges and records calls in one statement and one commit; null for a call that is to be opened like all
 * others, because it, or one of its key or account, does not fit. Nothing of it is written then.
 */
export async function settleCalls(
  sql: Sql,
  requests: SettleRequest[],
  quotas: Quotas,
): Promise<(Settled | null)[]> {
  let rest = withinSlots(requests, quotas.concurrent);
  // Those that do not fit are left out of a second try; where it changes meanwhile, all are opened one by one.
  for (let attempt = 1; attempt <= 2 && rest.length > 0; attempt++) {
    const rows = await settleGroup(sql, rest, quotas).catch((error) => {
      if ((error as { code?: unknown }).code === OVERTAKEN) return null;
      throw error;
    });
    if (rows === null) break;
    if (rows[0]?.fits) {
      const settled = readSettled(rest, rows);
      return requests.map((request) => settled.get(request.id) ?? null);
    }
    const unfit = new Set(rows.map(({ subject }) => subject));
    rest = rest.filter(({ keyId, accountId }) => !unfit.has(keyId) && !unfit.has(accountId));
  }
  return requests.map(() => null);
}

/** More calls of one key than it has slots cannot fit: its first ones may. */
function withinSlots(requests: SettleRequest[], slots: number): SettleRequest[] {
  if (requests.length <= slots) return requests;
  const counts = new Map<string, number>();
  return requests.filter(({ keyId }) => {
    const count = (counts.get(keyId) ?? 0) + 1;
    counts.set(keyId, count);
    return count <= slots;
  });
}

async function settleGroup(sql: Sql, requests: SettleRequest[], quotas: Quotas): Promise<SettleRow[]> {
  const keys = sumBy(requests, ({ keyId }) => keyId);
  const accounts = [...sumBy(requests, ({ accountId }) => accountId).values()];
  const keyList = [...keys.values()];
  const lines = linesOf(requests, keys);
  return await sql<SettleRow[]>`select * from settle_calls(
    ${arrayLiteral(keyList.map(({ id }) => id))}::text[],
    ${arrayLiteral(keyList.map(({ accountId }) => accountId))}::text[],
    ${arrayLiteral(keyList.map(({ calls }) => calls))}::int[],
    ${arrayLiteral(keyList.map(({ hold }) => hold))}::bigint[],
    ${arrayLiteral(keyList.map(({ cost }) => cost))}::bigint[],
    ${arrayLiteral(accounts.map(({ id }) => id))}::text[],
    ${arrayLiteral(accounts.map(({ hold }) => hold))}::bigint[],
    ${arrayLiteral(accounts.map(({ cost }) => cost))}::bigint[],
    ${arrayLiteral(lines.map(({ key }) => key.at))}::int[],
    ${arrayLiteral(lines.map(({ tool }) => tool))}::text[],
    ${arrayLiteral(lines.map(({ calls }) => calls))}::int[],
    ${arrayLiteral(lines.map(({ failed }) => failed))}::int[],
    ${arrayLiteral(lines.map(({ raw }) => raw))}::bigint[],
    ${arrayLiteral(lines.map(({ markup }) => markup))}::bigint[],
    ${arrayLiteral(lines.map(({ latency }) => latency))}::bigint[],
    ${arrayLiteral(requests.map(({ id }) => id))}::text[],
    ${arrayLiteral(requests.map(({ keyId }) => (keys.get(keyId) as Sum).at))}::int[],
    ${arrayLiteral(requests.map(({ tool }) => tool))}::text[],
    ${arrayLiteral(requests.map(({ skill }) => skill))}::text[],
    ${arrayLiteral(requests.map(({ raw }) => raw))}::bigint[],
    ${arrayLiteral(requests.map(({ markup }) => markup))}::bigint[],
    ${arrayLiteral(requests.map(({ errorCode }) => errorCode))}::text[],
    ${arrayLiteral(requests.map(({ latencyMs }) => Math.round(latencyMs)))}::int[],
    ${arrayLiteral(requests.map(({ begunMs }) => begunMs))}::bigint[],
    ${quotas.perMinute}::int, ${quotas.perHour}::int, ${quotas.concurrent}::int)`;
}

/** Sums, sorted by id as locks are taken. */
function sumBy(requests: SettleRequest[], idOf: (request: SettleRequest) => string): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const id of [...new Set(requests.map(idOf))].sort())
    sums.set(id, { id, accountId: '', calls: 0, hold: 0n, cost: 0n, at: sums.size + 1 });
  for (const request of requests) {
    const sum = sums.get(idOf(request)) as Sum;
    sum.accountId = request.accountId;
    sum.calls += 1;
    sum.hold += request.hold;
    sum.cost += request.markup + request.raw;
  }
  return sums;
}

function linesOf(requests: SettleRequest[], keys: Map<string, Sum>): Line[] {
  const lines = new Map<string, Line>();
  for (const { keyId, tool, errorCode, raw, markup, latencyMs } of requests) {
    const name = `${keyId} ${tool}`;
    let line = lines.get(name);
    if (!line) {
      const key = keys.get(keyId) as Sum;
      line = { key, tool, calls: 0, failed: 0, raw: 0n, markup: 0n, latency: 0 };
      lines.set(name, line);
    }
    line.calls += 1;
    if (errorCode !== null) line.failed += 1;
    line.raw += raw;
    line.markup += markup;
    line.latency += Math.round(latencyMs);
  }
  return [...lines.values()];
}

/** Rows say how a key stands after all of its calls: each is told how it stood after its own. */
function readSettled(requests: SettleRequest[], rows: SettleRow[]): Map<string, Settled> {
  const bySubject = new Map(rows.map((row) => [row.subject, row]));
  const settled = new Map<string, Settled>();
  const later = new Map<string, number>();
  for (let at = requests.length - 1; at >= 0; at--) {
    const { id, keyId, accountId } = requests[at] as SettleRequest;
    const key = bySubject.get(keyId) as SettleRow;
    const after = later.get(keyId) ?? 0;
    later.set(keyId, after + 1);
    settled.set(id, {
      available: (bySubject.get(accountId) as SettleRow).available,
      windows: {
        minuteUsed: key.minute_used - after,
        minuteReset: key.minute_reset,
        hourUsed: key.hour_used - after,
        hourReset: key.hour_reset,
      },
    });
  }
  return settled;
}

/** How a call was settled whose answer was lost; null where nothing is known of it. */
export async function findSettled(
  sql: Sql,
  { keyId, id }: Pick<SettleRequest, 'keyId' | 'id'>,
): Promise<CloseResult | null> {
  const [row] = await sql<
    { state: 'success' | 'error'; available: bigint }[]
  >`select state, available from closed_before(${keyId}, ${id})`;
  return row ?? null;
}

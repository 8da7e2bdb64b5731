import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { usdFromMicrousd } from '../../kit/money';
import { chooseAccount } from './choose-account';
import {
  CALLS_ID,
  type CallDay,
  type DayPosition,
  listCallDays,
  listCalls,
  listOthers,
  type OtherEntry,
  sumFrom,
  sumGaps,
} from './day-statement-store';
import { KINDS, type StatementRequest, toLine } from './get-statement';
import type { DayCalls, DayRow, DayStatement } from './schema';
import { findMoney } from './statement-store';

const DAY_US = 86_400_000_000n;
/** The year 10000: later than every entry. */
const END_OF_TIME_US = 253_402_300_800_000_000n;
const ALL_KINDS = Object.values(KINDS).flat();

type Page = StatementRequest & { limit: number; cursor?: string | undefined };
/** A row before its balance is known. */
type Item = DayPosition & { amount: bigint } & ({ day: CallDay } | { entry: OtherEntry });

/**
 * An account's movements, newest first: the calls of a day (UTC) as one row that is booked at its
 * end, every other movement as its own row, each with the balance after it.
 * @throws GatewayError FORBIDDEN for another user's account, INVALID_INPUT for an invalid cursor
 */
export async function getDayStatement(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  request: Page,
): Promise<DayStatement> {
  const { id } = await chooseAccount(runtime, actor, request.billing, 'member');
  const cursor = request.cursor === undefined ? null : readCursor(request.cursor);
  const shown = request.kind ? KINDS[request.kind] : ALL_KINDS;
  const fromUs = request.from === undefined ? null : startOfDay(request.from);
  const startUs = request.to === undefined ? END_OF_TIME_US : startOfDay(request.to) + DAY_US;
  const below = cursor?.position ?? { us: startUs, id: 0n };
  return await runtime.db.transaction(
    async (tx) => {
      const top = cursor?.balance ?? (await findMoney(tx, id)).net - (await sumFrom(tx, id, startUs));
      const others = await listOthers(tx, id, { below, fromUs, kinds: shown }, request.limit + 1);
      const days = shown.includes('call')
        ? await listCallDays(tx, id, { endUs: endOfCalls(below), fromUs }, request.limit + 1)
        : [];
      const items = merge(others, days);
      const page = items.slice(0, request.limit);
      const hidden = ALL_KINDS.filter((kind) => !shown.includes(kind));
      const gaps = hidden.length === 0 ? [] : await sumGaps(tx, id, listGaps(below, page), hidden);
      return buildPage(page, { top, gaps, hasMore: items.length > page.length });
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/**
 * The single calls of one day, newest first.
 * @param request cursor: `calls_cursor` of the day's row, then `next_cursor`
 * @throws GatewayError FORBIDDEN for another user's account, INVALID_INPUT for an invalid cursor
 */
export async function getDayCalls(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  request: { billing?: string | undefined; cursor: string; limit: number },
): Promise<DayCalls> {
  const { id } = await chooseAccount(runtime, actor, request.billing, 'member');
  const { position, balance } = readCursor(request.cursor);
  const fromUs = endOfCalls(position);
  const rows = await listCalls(runtime.db, id, { below: position, fromUs }, request.limit + 1);
  let running = balance;
  const lines = rows.slice(0, request.limit).map((row) => {
    const line = toLine({ ...row, created_at: toTime(row.us), balance: running });
    running -= row.amount;
    return line;
  });
  const last = rows[lines.length - 1];
  return {
    lines,
    next_cursor: last && rows.length > lines.length ? writeCursor(last, running) : null,
  };
}

/** Up to where the calls of whole days are below a position: the start of its day. */
function endOfCalls({ us, id }: DayPosition): bigint {
  return id === CALLS_ID ? us - DAY_US : us - (us % DAY_US);
}

function merge(others: readonly OtherEntry[], days: readonly CallDay[]): Item[] {
  const items: Item[] = [
    ...others.map((entry) => ({ us: entry.us, id: entry.id, amount: entry.amount, entry })),
    ...days.map((day) => ({ us: day.us, id: CALLS_ID, amount: day.amount, day })),
  ];
  return items.sort((a, b) => compare(b.us, a.us) || compare(b.id, a.id));
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

function listGaps(below: DayPosition, page: readonly Item[]): { high: DayPosition; low: DayPosition }[] {
  return page.map((low, at) => ({ high: page[at - 1] ?? below, low }));
}

function buildPage(
  page: readonly Item[],
  { top, gaps, hasMore }: { top: bigint; gaps: readonly bigint[]; hasMore: boolean },
): DayStatement {
  let balance = top;
  const rows = page.map((item, at): DayRow => {
    balance -= gaps[at] ?? 0n;
    const row = toRow(item, balance);
    balance -= item.amount;
    return row;
  });
  const last = page.at(-1);
  return { rows, next_cursor: last && hasMore ? writeCursor(last, balance) : null };
}

function toRow(item: Item, balance: bigint): DayRow {
  if ('entry' in item) {
    const line = toLine({
      ...item.entry,
      created_at: toTime(item.us),
      tool: null,
      skill: null,
      balance,
    });
    return { type: 'entry', ...line };
  }
  const start = item.us - DAY_US;
  return {
    type: 'calls',
    day: toTime(start).slice(0, 10),
    calls: item.day.calls,
    amount_usd: usdFromMicrousd(item.amount),
    balance_usd: usdFromMicrousd(balance),
    calls_cursor: writeCursor(placeAbove(item.day.last_us), balance),
  };
}

/** Right above the last counted call: calls that arrive later do not move the balances. */
function placeAbove(lastUs: bigint): DayPosition {
  const us = lastUs + 1n;
  return { us, id: us % DAY_US === 0n ? CALLS_ID : 0n };
}

function startOfDay(day: string): bigint {
  return BigInt(Date.parse(`${day}T00:00:00Z`)) * 1000n;
}

const toTime = (us: bigint) => new Date(Number(us / 1000n)).toISOString();

function writeCursor({ us, id }: DayPosition, balance: bigint): string {
  return `${us}.${id}.${balance}`;
}

function readCursor(cursor: string): { position: DayPosition; balance: bigint } {
  const [, us, id, balance] = /^(\d{1,18})\.(-1|\d{1,18})\.(-?\d{1,18})$/.exec(cursor) ?? [];
  if (us !== undefined && id !== undefined && balance !== undefined && BigInt(us) <= END_OF_TIME_US)
    return { position: { us: BigInt(us), id: BigInt(id) }, balance: BigInt(balance) };
  const message = 'Must be the next_cursor of an earlier response.';
  throw new GatewayError('INVALID_INPUT', {
    message: `cursor: ${message}`,
    details: { fields: [{ path: 'cursor', message }] },
  });
}

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { getDayCalls, getDayStatement } from './day-statement';
import type { StatementRequest } from './get-statement';
import { type DayRow, dayStatementInput, type StatementLine } from './schema';

const BASE = Date.parse('2026-03-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const CASES = 10;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;
const viewer = (person: Person) => ({
  kind: 'session' as const,
  userId: person.userId,
  accountId: person.accountId,
  accountType: 'personal' as const,
  accountFrozen: false,
  sessionId: 'test',
});
const micros = (usd: number) => Math.round(usd * 1e6);

interface Entry {
  kind: 'call' | 'purchase' | 'refund' | 'grant';
  /** Hours since the base; several entries share an instant. */
  hour: number;
  amount: number;
}
const entryArbitrary: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('call' as const), hour: hours(), amount: cost() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('purchase' as const, 'grant' as const),
      hour: hours(),
      amount: fc.integer({ min: 1, max: 5_000_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('refund' as const), hour: hours(), amount: cost() }),
  },
);
function hours() {
  return fc.integer({ min: 0, max: 24 * 5 });
}
function cost() {
  return fc.integer({ min: -900_000, max: -1 });
}

let nextRef = 0;

async function book(entries: readonly Entry[]): Promise<Person> {
  const person = await harness.person();
  await enter(person, entries);
  return person;
}

async function enter(person: Person, entries: readonly Entry[]): Promise<void> {
  const { sql } = harness.runtime;
  for (const { kind, hour, amount } of [...entries].sort((a, b) => a.hour - b.hour))
    await sql`
      insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd, created_at)
      values (${kind}, ${`ref${nextRef++}:1`}, ${person.accountId}, 'grants', ${amount}, ${new Date(BASE + hour * HOUR_MS).toISOString()}::timestamptz)`;
  const net = entries.reduce((sum, { amount }) => sum + amount, 0);
  await sql`update accounts set balance_microusd = greatest(balance_microusd - debt_microusd + ${net}, 0),
    debt_microusd = greatest(debt_microusd - balance_microusd - ${net}, 0) where id = ${person.accountId}`;
}

async function readAll(person: Person, request: StatementRequest, limit: number): Promise<DayRow[]> {
  const rows: DayRow[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await getDayStatement(harness.runtime, viewer(person), { ...request, limit, cursor });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows);
    if (page.next_cursor === null) return rows;
    cursor = page.next_cursor;
  }
}

async function readCalls(person: Person, first: string, limit: number): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  for (let cursor = first; ; ) {
    const page = await getDayCalls(harness.runtime, viewer(person), { cursor, limit });
    lines.push(...page.lines);
    if (page.next_cursor === null) return lines;
    cursor = page.next_cursor;
  }
}

/** Every row follows from the one below it. */
function expectChain(rows: readonly { amount_usd: number; balance_usd: number }[], below: number): void {
  let running = below;
  for (const row of [...rows].reverse()) {
    running += micros(row.amount_usd);
    expect(micros(row.balance_usd)).toBe(running);
  }
}

describe('a statement by days', () => {
  it('adds up to the ledger: each row follows from the one below, and each day is the sum of its calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entryArbitrary, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 6 }),
        async (entries, limit) => {
          const person = await book(entries);
          const rows = await readAll(person, {}, limit);
          expectChain(rows, 0);
          expect(micros(rows[0]?.balance_usd ?? 0)).toBe(
            entries.reduce((sum, { amount }) => sum + amount, 0),
          );
          const days = rows.filter((row) => row.type === 'calls');
          expect(new Set(days.map(({ day }) => day)).size).toBe(days.length);
          for (const row of days) {
            const calls = entries.filter(({ kind, hour }) => kind === 'call' && dayOf(hour) === row.day);
            expect(row.calls).toBe(calls.length);
            const lines = await readCalls(person, row.calls_cursor, limit);
            expect(lines).toHaveLength(row.calls);
            expect(lines[0]?.balance_usd).toBe(row.balance_usd);
            expectChain(lines, micros(row.balance_usd) - micros(row.amount_usd));
          }
          const others = rows.filter((row) => row.type === 'entry').length;
          expect(others).toBe(entries.filter(({ kind }) => kind !== 'call').length);
        },
      ),
      { numRuns: CASES },
    );
  });

  it('shows the same rows and balances when it is filtered by kind and days, for every page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entryArbitrary, { minLength: 1, maxLength: 25 }),
        fc.constantFrom('call' as const, 'purchase' as const, 'grant' as const, undefined),
        fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })),
        fc.integer({ min: 1, max: 6 }),
        async (entries, kind, [from, to], limit) => {
          const person = await book(entries);
          const whole = await readAll(person, {}, 100);
          const days = { from: dayOf(24 * from), to: dayOf(24 * to) };
          const filtered = await readAll(person, { kind, ...days }, limit);
          const expected = whole.filter((row) => {
            const day = row.type === 'calls' ? row.day : row.at.slice(0, 10);
            const shown = kind === undefined || (row.type === 'calls' ? 'call' : row.kind) === kind;
            return shown && day >= days.from && day <= days.to;
          });
          expect(filtered).toEqual(expected);
        },
      ),
      { numRuns: CASES },
    );
  });

  it('opens a day as it was listed, without the calls that arrived since', async () => {
    const person = await book([
      { kind: 'purchase', hour: 1, amount: 5_000_000 },
      { kind: 'call', hour: 2, amount: -100_000 },
      { kind: 'call', hour: 3, amount: -250_000 },
    ]);
    const [row] = await readAll(person, {}, 10);
    if (row?.type !== 'calls') throw new Error('The calls of the day are the first row');
    await enter(person, [
      { kind: 'call', hour: 4, amount: -1_000_000 },
      { kind: 'call', hour: 23, amount: -7 },
    ]);
    const lines = await readCalls(person, row.calls_cursor, 1);
    expect(lines.map(({ amount_usd, balance_usd }) => [amount_usd, balance_usd])).toEqual([
      [-0.25, 4.65],
      [-0.1, 4.9],
    ]);
    const [later] = await readAll(person, {}, 10);
    expect(later).toMatchObject({ calls: 4, balance_usd: 3.649993 });
  });

  it('of another user is refused, and only its own cursors are accepted', async () => {
    const [owner, other] = [await harness.person(), await harness.person()];
    await harness.team(owner.userId, 'days', 1n);
    const request = { billing: 'days', limit: 5 };
    await expect(getDayStatement(harness.runtime, viewer(other), request)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const nines = '9'.repeat(18);
    const invalid = ['x', '1.1', '1.-2.1', "1.1.0' or 1=1", '9'.repeat(30), `${nines}.0.0`, `-${nines}.0.0`];
    for (const cursor of invalid) {
      for (const read of [getDayStatement, getDayCalls])
        await expect(read(harness.runtime, viewer(owner), { limit: 5, cursor })).rejects.toMatchObject({
          code: 'INVALID_INPUT',
        });
    }
    for (const day of ['0001-01-01', '9999-12-31']) {
      const query = dayStatementInput.parse({ from: day, to: day });
      expect((await getDayStatement(harness.runtime, viewer(owner), query)).rows).toEqual([]);
    }
  });
});

function dayOf(hour: number): string {
  return new Date(BASE + hour * HOUR_MS).toISOString().slice(0, 10);
}

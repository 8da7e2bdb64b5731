import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { reconcilePayment } from '../payments/reconcile-payment';
import { getStatement, type StatementRequest } from './get-statement';
import { type StatementLine, statementInput } from './schema';
import { writeStatementCsv } from './statement-csv';

const payments = new FakePayments();
let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ ports: { payments } });
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

const spend = (key: string, amount: number) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: amount } },
  });

async function buy(key: string, amount: number): Promise<string> {
  const { body } = await harness.request('POST', '/v1/billing/checkout', {
    key,
    json: { amount_usd: amount },
  });
  const paymentId = payments.complete(`cs_${body.order_id}`);
  await reconcilePayment(harness.runtime, payments, paymentId);
  return paymentId;
}

async function readAll(person: Person, request: StatementRequest, limit: number) {
  const lines: StatementLine[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await getStatement(harness.runtime, viewer(person), { ...request, limit, cursor });
    lines.push(...page.lines);
    if (page.next_cursor === null) return { ...page, lines };
    cursor = page.next_cursor;
  }
}

describe('a statement', () => {
  let person: Person;
  let paymentId: string;

  beforeAll(async () => {
    person = await harness.person(3_000_000n);
    paymentId = await buy(person.key, 10);
    for (const amount of [0.5, 0.000001, 0.25]) await spend(person.key, amount);
    payments.objects(paymentId).refundedCents = 540;
    await reconcilePayment(harness.runtime, payments, paymentId);
    await spend(person.key, 0.125);
  });

  it('has every movement with its cause, each line follows from the one below, and all add up to the balance', async () => {
    const { lines, balance_usd } = await readAll(person, {}, 200);
    expect(lines.map(({ kind, description, amount_usd }) => [kind, description, amount_usd])).toEqual([
      ['call', 'diagnostics.spend', -0.125],
      ['refund', 'Refund of $5.40', -5],
      ['call', 'diagnostics.spend', -0.25],
      ['call', 'diagnostics.spend', -0.000001],
      ['call', 'diagnostics.spend', -0.5],
      ['purchase', 'Credit bought with Visa •••• 4242', 10],
      ['grant', 'Credit granted: test', 3],
    ]);
    let running = 0;
    for (const line of [...lines].reverse()) {
      running += micros(line.amount_usd);
      expect(micros(line.balance_usd)).toBe(running);
    }
    expect(micros(balance_usd)).toBe(running);
    expect(lines[1]?.payment_id).toBe(paymentId);
  });

  it('is the same for every page size', async () => {
    const whole = (await readAll(person, {}, 200)).lines;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), async (limit) => {
        expect((await readAll(person, {}, limit)).lines).toEqual(whole);
      }),
    );
  });

  it('shows the true balances when it is filtered', async () => {
    const whole = (await readAll(person, {}, 200)).lines;
    for (const kind of ['call', 'purchase', 'refund', 'grant', 'dispute'] as const) {
      const filtered = (await readAll(person, { kind }, 2)).lines;
      expect(filtered).toEqual(whole.filter((line) => line.kind === kind));
    }
    const today = new Date().toISOString().slice(0, 10);
    expect((await readAll(person, { from: today, to: today }, 3)).lines).toEqual(whole);
    expect((await readAll(person, { to: '2020-01-01' }, 3)).lines).toEqual([]);
  });

  it('has the same lines as CSV, without formulas @F36', async () => {
    await harness.runtime
      .sql`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd, memo)
      values ('grant', 'csv', ${person.accountId}, 'grants', 1, '=1+1, "quoted"')`;
    await harness.runtime
      .sql`update accounts set balance_microusd = balance_microusd + 1 where id = ${person.accountId}`;
    const { filename, text } = await writeStatementCsv(harness.runtime, viewer(person), {});
    let csv = '';
    for await (const part of text) csv += part;
    const { lines } = await readAll(person, {}, 200);
    const rows = csv.trimEnd().split('\r\n');
    expect(filename).toBe('statement.csv');
    expect(rows).toHaveLength(lines.length + 1);
    expect(rows[0]).toBe('at,id,kind,description,ref,amount_usd,balance_usd');
    expect(rows[1]).toContain('"Credit granted: =1+1, ""quoted"""');
    expect(csv).toMatch(/,-0\.000001,/);
    expect(csv).not.toMatch(/\d[eE]-\d/);
  });

  it('of another user, or of a team that the user is not in, is refused', async () => {
    const outsider = await harness.person();
    await harness.team(person.userId, 'statements', 1n);
    await expect(
      getStatement(harness.runtime, viewer(outsider), { billing: 'statements', limit: 5 }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await readAll(person, { billing: 'statements' }, 5)).lines).toHaveLength(1);
  });

  it('accepts only days that the database can store', async () => {
    for (const day of ['0001-01-01', '2024-02-29', '9999-12-31']) {
      const query = statementInput.parse({ from: day, to: day });
      expect((await readAll(person, query, 5)).lines).toEqual([]);
    }
    for (const day of ['0000-01-01', '0000-12-31', '2025-02-29', '-001-01-01', '10000-01-01', '2025-1-1', ''])
      for (const field of ['from', 'to'])
        expect(statementInput.safeParse({ [field]: day }).success, day).toBe(false);
  });

  it('accepts only cursors that it has returned', async () => {
    for (const cursor of ['x', '1', '1.', '1.2.3', "1.0' or 1=1", '9'.repeat(30)])
      await expect(getStatement(harness.runtime, viewer(person), { limit: 5, cursor })).rejects.toMatchObject(
        { code: 'INVALID_INPUT' },
      );
  });
});

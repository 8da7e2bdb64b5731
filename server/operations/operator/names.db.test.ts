import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import { writeAudit } from '../../core/audit/audit';
import { ACCOUNT_SORTS, type TIME_SORTS } from './limits';
import { writeAuditCsv } from './list-audit';
import { type OperatorPair, startOperatorPair } from './testing/operator-pair';

let pair: OperatorPair;
let harness: Harness;
let boss: OperatorPair['boss'];

beforeAll(async () => {
  pair = await startOperatorPair([]);
  ({ harness, boss } = pair);
});
afterAll(() => pair?.close());

describe('the list of accounts', () => {
  it('is sorted by balance, spend and age in both directions, page by page without a gap', async () => {
    for (let n = 0; n < 35; n++) {
      // Equal balances on both sides of a page.
      const { accountId, keyId } = await harness.person(BigInt(Math.floor(n / 3)) * 1_000_000n);
      if (n % 4 === 0)
        await harness.runtime
          .sql`insert into usage_rollups values (${accountId}, date_trunc('hour', now()), ${keyId}, 'math',
          1, 0, 0, 0, ${n * 1000}, 0)`;
    }
    const all = await harness.runtime.sql<{ id: string }[]>`select id from accounts where closed_at is null`;
    for (const sort of ACCOUNT_SORTS) {
      const rows: Awaited<ReturnType<typeof boss.operator.accounts.list>>['accounts'] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await boss.operator.accounts.list({ sort, cursor });
        rows.push(...page.accounts);
        cursor = page.next_cursor;
      }
      expect(new Set(rows.map(({ account_id }) => account_id)), sort).toEqual(
        new Set(all.map(({ id }) => id)),
      );
      expect(rows, sort).toHaveLength(all.length);
      const values = rows.map((row) =>
        sort.startsWith('balance')
          ? row.balance_usd - row.debt_usd
          : sort.startsWith('spent')
            ? row.spent_30d_usd
            : Date.parse(row.created_at),
      );
      const sorted = values.toSorted((a, b) => (sort.endsWith('asc') ? a - b : b - a));
      expect(values, sort).toEqual(sorted);
    }
    await expect(boss.operator.accounts.list({ sort: 'spent.desc', cursor: 'acct_1' })).rejects.toThrow();
  });
});

it('accounts are found by the email address of their owner and of a member', async () => {
  const [owner, member] = [await harness.person(), await harness.person()];
  const team = await harness.team(owner.userId, 'found-by-member', 0n);
  await harness.runtime.sql`
    insert into memberships (account_id, user_id, role) values (${team}, ${member.userId}, 'member')`;
  const find = async (q: string) =>
    (await boss.operator.accounts.list({ q })).accounts.map(({ account_id }) => account_id).sort();
  expect(await find(await emailOf(owner.userId))).toEqual([owner.accountId, team].sort());
  expect(await find((await emailOf(member.userId)).toUpperCase())).toEqual([member.accountId, team].sort());
  expect(await find('nobody@example.test')).toEqual([]);
});

async function emailOf(userId: string): Promise<string> {
  const [user] = await harness.runtime.sql<{ email: string }[]>`select email from users where id = ${userId}`;
  return user?.email ?? '';
}

describe('the audit log', () => {
  it('names accounts, people and keys, and is searched by these names', async () => {
    const person = await harness.person(1_000_000n);
    const email = await emailOf(person.userId);
    const limit = { key: person.key, json: { budgetLimit: 5 } };
    expect((await harness.request('PUT', '/v1/billing/preferences', limit)).status).toBe(200);
    const { events } = await boss.operator.audit({ account_id: email });
    expect(events[0]).toMatchObject({
      action: 'billing.preferences',
      account_id: person.accountId,
      account_name: email,
      actor: `key:${person.keyId}`,
      actor_name: 'test key',
    });
    for (const filter of [{ account_id: person.accountId }, { account_id: email.slice(0, -4) }])
      expect((await boss.operator.audit(filter)).events.map(({ id }) => id)).toContain(events[0]?.id);
    expect((await boss.operator.audit({ account_id: '%' })).events).toEqual([]);
    const byKey = await boss.operator.audit({ actor: 'test key', action: 'billing.preferences' });
    expect(byKey.events.map(({ id }) => id)).toContain(events[0]?.id);

    // The file has the names next to the ids.
    let file = '';
    for await (const text of writeAuditCsv(harness.runtime, { account_id: email })) file += text;
    const [head = '', first = ''] = file.split('\r\n');
    const [columns, values] = [head.split(','), first.split(',')];
    const read = (name: string) => values[columns.indexOf(name)];
    expect([read('actor'), read('actor_name')]).toEqual([`key:${person.keyId}`, 'test key']);
    expect([read('account'), read('account_name')]).toEqual([person.accountId, email]);
  });

  it('is read newest or oldest first, page by page without a gap', async () => {
    const person = await harness.person();
    for (let n = 0; n < 60; n++)
      await writeAudit(harness.runtime.db, {
        actor: 'operator:test',
        action: 'account.view',
        accountId: person.accountId,
      });
    const read = async (sort: (typeof TIME_SORTS)[number]) => {
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const input = { account_id: person.accountId, action: 'account.view', sort, cursor };
        const page = await boss.operator.audit(input);
        found.push(...page.events.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      return found;
    };
    const oldestFirst = await read('created.asc');
    expect(new Set(oldestFirst).size).toBe(60);
    expect(oldestFirst).toEqual(oldestFirst.toSorted());
    expect(await read('created.desc')).toEqual(oldestFirst.toReversed());
  });
});

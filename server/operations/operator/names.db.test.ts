import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { writeAudit } from '../../core/audit/audit';
import { ACCOUNT_SORTS, type TIME_SORTS } from './limits';
import { writeAuditCsv } from './list-audit';
import { type OperatorPair, startOperatorPair } from './testing/operator-pair';

let pair: OperatorPair;
let harness: Harness;
let boss: OperatorPair['boss'];

beforeAll(async () => {
  pair = await startOperatorPair([createProbe().tool]);
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

it('accounts are found by what a customer names: a call, request, job, file, order, payment, receipt or invoice', async () => {
  const { key, accountId, paymentId } = await pair.buyer();
  await harness.person();
  const call = async (json: object, headers = {}) =>
    (await harness.request('POST', '/v1/tools/call', { key, json, headers })).body;
  const paid = await call({ tool: 'probe', skill: 'ok_paid', input: {} });
  const refused = await call({ tool: 'probe', skill: 'ok', input: { id: 7 } });
  const queued = await call({ tool: 'probe', skill: 'queued', input: {} }, { prefer: 'wait=0' });
  await harness.runtime.refusals.flush();
  const { sql } = harness.runtime;
  const [payment] = await sql`select order_id, receipt_number from payments where id = ${paymentId}`;
  await sql`
    insert into invoices (id, kind, account_id, payment_id, seller, test, year, sequence, number, mode, total_cents,
      issued_by, issued_at, document)
    values ('invoice_named', 'invoice', ${accountId}, ${paymentId}, 'Seller', true, 2026, 7, 'TEST-2026-000007', 'fake', 1080,
      'test', now(), '{}')`;
  await sql`
    insert into assets (id, account_id, filename, content_type, size_bytes, blob_key, expires_at)
    values ('asset_named', ${accountId}, 'a.txt', 'text/plain', 1, 'named', now() + interval '1 day')`;
  const find = async (q: string) =>
    (await boss.operator.accounts.list({ q })).accounts.map(({ account_id }) => account_id);
  const receipt = `R-${String(payment?.receipt_number).padStart(6, '0')}`;
  for (const q of [
    ...[paid.id, paid.id.replace('call_', 'req_'), refused.error.request_id, queued.job_id],
    ...['asset_named', String(payment?.order_id), paymentId, receipt, receipt.toLowerCase()],
    ...['TEST-2026-000007', 'invoice_named'],
  ])
    expect(await find(q), q).toEqual([accountId]);
  const unknown = '0'.repeat(26);
  for (const q of [
    `call_${unknown}`,
    `req_${unknown}`,
    'R-999999',
    'TEST-2026-000008',
    'pi_unknown123',
    "req_'",
  ])
    expect(await find(q), q).toEqual([]);
  // What is left of a closed account leads to it, too.
  await sql`update accounts set closed_at = now() where id = ${accountId}`;
  expect(await find(receipt)).toEqual([accountId]);
});

it('an account shows its refused calls by key and reason, with limits that refuse now and without messages', async () => {
  const { key, keyId, accountId } = await harness.person(1_000_000n);
  const json = { name: 'small', credits: 0.00005 };
  const small = (await harness.request('POST', '/v1/keys', { key, json })).body;
  const send = async (by: string, skill: string, input = {}) =>
    (await harness.request('POST', '/v1/tools/call', { key: by, json: { tool: 'probe', skill, input } }))
      .status;
  for (let n = 0; n < 3; n++) expect(await send(small.secret, 'ok_paid')).toBe(402);
  expect(await send(key, 'ok', { identity: 'secret' })).toBe(400);
  await harness.runtime.refusals.flush();
  const { refusals } = await boss.operator.accounts.get({ account_id: accountId });
  expect(refusals).toEqual([
    expect.objectContaining({ key_id: keyId, error_code: 'INVALID_INPUT', refused: 1, in_force: false }),
    expect.objectContaining({
      ...{ key_id: small.id, error_code: 'INSUFFICIENT_CREDITS', limit: 'key' },
      ...{ refused: 3, in_force: true, retry_at: null },
    }),
  ]);
  expect(JSON.stringify(refusals)).not.toContain('identity');
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

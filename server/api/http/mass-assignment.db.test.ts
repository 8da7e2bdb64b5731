import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
let other: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness();
  person = await harness.person(1_000_000n);
  other = await harness.person(1_000_000n);
});
afterAll(() => harness.close());

/** Names of columns, and of their properties, in every table that a request could reach. */
async function columns(): Promise<string[]> {
  const rows = await harness.runtime.sql<{ name: string }[]>`
    select distinct column_name as name from information_schema.columns where table_schema = 'public'`;
  const names = rows.map(({ name }) => name);
  const camel = names.map((name) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
  return [
    ...new Set([
      ...names,
      ...camel,
      'role',
      'plan',
      'balance',
      'isAdmin',
      'secret',
      'available_usd',
      'verified',
    ]),
  ];
}

/** A body with all these names, each with its most harmful value, and the route's own fields. */
async function withEverything(own: object): Promise<object> {
  const extra = Object.fromEntries((await columns()).map((name) => [name, harmful(name)]));
  return { ...extra, ...own };
}

function harmful(name: string): unknown {
  if (/account.?id/i.test(name)) return other.accountId;
  if (/user.?id/i.test(name)) return other.userId;
  if (/key.?id|^id$/i.test(name)) return other.keyId;
  if (/microusd|balance|credit|amount|usd/i.test(name)) return 999;
  if (/_at$|At$/.test(name)) return '2000-01-01T00:00:00Z';
  if (name === 'role') return 'owner';
  return 'tg_live_mine';
}

async function snapshot(): Promise<Record<string, unknown>> {
  const { sql } = harness.runtime;
  return {
    accounts:
      await sql`select id, type, slug, owner_user_id, balance_microusd, held_microusd, frozen_at from accounts order by id`,
    memberships: await sql`select account_id, user_id, role from memberships order by 1, 2`,
    keys: await sql`
      select id, account_id, name, mask, credits_microusd, credits_used_microusd, revoked_at, kind from api_keys order by id`,
    users: await sql`select id, email from users order by id`,
    ledger: await sql`select count(*)::int as n from ledger_entries`,
  };
}

it('refuses and lists every column name in a body, and writes nothing @B3', async () => {
  const { keyId } = await harness.addKey(person.accountId, 1_000_000n);
  const before = await snapshot();
  for (const [method, path, own] of [
    ['POST', '/v1/keys', { name: 'plain' }],
    ['POST', `/v1/keys/${keyId}/credits`, { amount: 1 }],
    ['PUT', '/v1/billing/preferences', { budgetLimit: 7, billing: 'personal' }],
    ['POST', '/v1/reviews', { tool: 'math', rating: 1, review: 'mine' }],
  ] as const) {
    const json = await withEverything(own);
    const { status, body } = await harness.request(method, path, { key: person.key, json });
    expect([path, status, body.error.code]).toEqual([path, 400, 'INVALID_INPUT']);
    expect(body.error.fields.length).toBeGreaterThan(0);
    expect(await snapshot()).toEqual(before);
  }
});

it("creates a key in the caller's account, with a secret, state and allowance of the gateway's @B3", async () => {
  const { status, body } = await harness.request('POST', '/v1/keys', {
    key: person.key,
    json: { name: 'plain' },
  });
  expect([status, body.name, body.status, body.credits, body.credits_used]).toEqual([
    201,
    'plain',
    'active',
    null,
    0,
  ]);
  expect(body.secret).not.toContain('mine');
  const { keys } = await snapshot();
  const made = (keys as { id: string }[]).find(({ id }) => id === body.id);
  expect(made).toMatchObject({ account_id: person.accountId, name: 'plain', revoked_at: null });
});

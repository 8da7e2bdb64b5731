import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
let other: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness();
  person = await harness.person(1_000_000n);
  other = await harness.person(1_000_000n);
});
afterAll(() => harness.close());

/** Names of columns and of what programs call them, of every table that a request could reach. */
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

/** A body with every such name in it, of the value that would do the most harm, beside the fields of the route. */
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

it('a new key is of the asker’s account, with a secret, a state and an allowance of ours', async () => {
  const before = await snapshot();
  const json = await withEverything({ name: 'plain', credits: undefined });
  const { status, body } = await harness.ask('POST', '/v1/keys', { key: person.key, json });
  expect([status, body.name, body.status, body.credits, body.credits_used]).toEqual([
    201,
    'plain',
    'active',
    null,
    0,
  ]);
  expect(body.secret).not.toContain('mine');
  const after = await snapshot();
  const keysBefore = before.keys as { id: string }[];
  const made = (after.keys as { id: string; account_id: string }[]).filter(
    ({ id }) => !keysBefore.some((key) => key.id === id),
  );
  expect(made).toMatchObject([
    { id: body.id, account_id: person.accountId, name: 'plain', revoked_at: null },
  ]);
  expect({ ...after, keys: null }).toEqual({ ...before, keys: null });
});

/** Fields of preferences that are columns too. */
const NONE_OF_MINE = { autoReloadEnabled: false, autoReloadThreshold: 5, autoReloadAmount: 20 };

it('preferences, credits of a key and reviews write the fields that they are for', async () => {
  const { keyId } = await harness.addKey(person.accountId, 1_000_000n);
  const before = await snapshot();
  const preferences = await harness.ask('PUT', '/v1/billing/preferences', {
    key: person.key,
    json: await withEverything({ ...NONE_OF_MINE, budgetLimit: 7, billing: 'personal' }),
  });
  expect([preferences.status, preferences.body.budgetLimit]).toEqual([200, 7]);
  const review = await harness.ask('POST', '/v1/reviews', {
    key: person.key,
    json: await withEverything({ tool: 'math', rating: 1, review: 'mine' }),
  });
  expect(review).toMatchObject({ status: 200, body: { tool: 'math', rating: 1, verified: false } });
  const [row] = await harness.runtime.sql`select account_id from reviews where id = ${review.body.id}`;
  expect(row?.account_id).toBe(person.accountId);
  expect(await snapshot()).toEqual(before);
  const credits = await harness.ask('POST', `/v1/keys/${keyId}/credits`, {
    key: person.key,
    json: await withEverything({ amount: 1 }),
  });
  expect([credits.status, credits.body.id, credits.body.credits]).toEqual([200, keyId, 2]);
});

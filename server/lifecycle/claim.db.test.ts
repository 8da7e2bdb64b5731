import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addIdempotencyRecord, addJob } from '@/test/support/aged-rows';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { hashSessionToken } from '../identity/sessions/session-token';
import { deleteAccount } from './delete-account';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { PROVISION_PER_HOUR: '1000', PROVISION_PER_DAY: '1000' } });
});
afterAll(() => harness.close());

async function provision() {
  const { body } = await harness.request('POST', '/v1/auth/provision');
  const token = new URL(body.claim_url).searchParams.get('token') as string;
  return {
    key: body.api_key as string,
    accountId: body.account_id as string,
    token,
    claimUrl: body.claim_url as string,
  };
}
const claim = (key: string, token: string) =>
  harness.request('POST', '/v1/auth/claim', { key, json: { token } });
const echo = (key: string) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } },
  });

describe('a provisioned key', () => {
  it('can call free tools and read its balance; everything else returns its claim URL @B12', async () => {
    const { key, claimUrl } = await provision();
    expect((await echo(key)).status).toBe(200);
    expect((await harness.request('GET', '/v1/billing/balance', { key })).body).toMatchObject({
      available_usd: 0,
      plan: 'provisional',
    });
    const paid = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } };
    for (const [path, json] of [
      ['/v1/tools/call', paid],
      ['/v1/keys', { name: 'more' }],
    ] as const) {
      const refused = await harness.request('POST', path, { key, json });
      expect(refused).toMatchObject({
        status: 403,
        body: { error: { code: 'CLAIM_REQUIRED', type: 'auth', claim_url: claimUrl } },
      });
    }
  });

  it('cannot create keys, raise its credit, save provider keys or buy credit, and its attempts leave no rows @B12', async () => {
    const { key, accountId, claimUrl } = await provision();
    const { sql } = harness.runtime;
    const [own] = await sql`select id from api_keys where account_id = ${accountId}`;
    const state = async () => ({
      account: await sql`select to_jsonb(a) - 'last_used_at' as row from accounts a where id = ${accountId}`,
      keys: await sql`select id, name, credits_microusd from api_keys where account_id = ${accountId}`,
      orders: await sql`select id from orders where account_id = ${accountId}`,
      credentials: await sql`select id from credentials where account_id = ${accountId}`,
      entries: await sql`select ref from ledger_entries where account_id = ${accountId}`,
      memberships: await sql`select account_id from memberships where account_id = ${accountId}`,
    });
    const before = await state();
    const paid = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } };
    for (const [method, path, json] of [
      ['POST', '/v1/keys', { name: 'more', credits: 100 }],
      ['POST', `/v1/keys/${own?.id}/credits`, { amount: 100 }],
      ['PUT', '/v1/account/requirements/openai', { value: 'sk-test-0123456789abcdef' }],
      ['PUT', '/v1/billing/preferences', { budgetLimit: 100 }],
      ['POST', '/v1/billing/checkout', { amount_usd: 10 }],
      ['POST', '/v1/billing/portal', undefined],
      ['POST', '/v1/billing/machine-topup', { amount_usd: 5 }],
      ['POST', '/v1/tools/call', { ...paid, billing: 'personal' }],
    ] as const)
      expect([path, await harness.request(method, path, { key, json })]).toMatchObject([
        path,
        { status: 403, body: { error: { code: 'CLAIM_REQUIRED', claim_url: claimUrl } } },
      ]);
    const batch = await harness.request('POST', '/v1/tools/batch', { key, json: { calls: [paid] } });
    expect(batch.text).toContain('CLAIM_REQUIRED');
    expect(await state()).toEqual(before);
  });

  it('cannot claim another account', async () => {
    const [a, b] = [await provision(), await provision()];
    expect((await claim(a.key, b.token)).body.error.code).toBe('CLAIM_REQUIRED');
  });
});

describe('a claim', () => {
  it('moves key, credit, history and reviews, and the key keeps working', async () => {
    const person = await harness.person(2_000_000n);
    const agent = await provision();
    await echo(agent.key);
    await harness.request('POST', '/v1/reviews', {
      key: agent.key,
      json: { tool: 'diagnostics', rating: 4 },
    });
    const { sql } = harness.runtime;
    await sql`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd) values ('grant', ${agent.accountId}, ${agent.accountId}, 'grants', 500000)`;
    await sql`update accounts set balance_microusd = 500000 where id = ${agent.accountId}`;

    const claimed = await claim(person.key, agent.token);
    expect(claimed).toMatchObject({
      status: 200,
      body: { account_id: person.accountId, credits_moved_usd: 0.5 },
    });
    expect(claimed.body.keys_moved).toHaveLength(1);
    expect((await harness.request('GET', '/v1/billing/balance', { key: agent.key })).body).toMatchObject({
      available_usd: 2.5,
      plan: 'prepaid',
    });
    const history = await harness.request('GET', '/v1/usage/history', { key: person.key });
    expect(history.body.records).toMatchObject([{ tool: 'diagnostics', skill: 'echo' }]);
    expect((await harness.request('GET', '/v1/usage', { key: person.key })).body).toMatchObject({
      calls: 1,
      succeeded: 1,
    });
    const paid = await harness.request('POST', '/v1/tools/call', {
      key: agent.key,
      json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.5 } },
    });
    expect(paid.body.usage).toMatchObject({ cost: 0.5, credits_remaining: 2 });
    const again = await harness.request('POST', '/v1/reviews', {
      key: person.key,
      json: { tool: 'diagnostics', rating: 5 },
    });
    expect(again.body.verified).toBe(true);
    const [count] = await sql`select count(*)::int as n from reviews where tool = 'diagnostics'`;
    expect(count?.n).toBe(1);
  });

  it('moves jobs; stored responses stay with the keys that got them', async () => {
    const { sql } = harness.runtime;
    const [person, agent] = [await harness.person(), await provision()];
    const jobs = [
      await addJob(sql, { accountId: agent.accountId }),
      await addJob(sql, { accountId: agent.accountId, finished: '1 hour' }),
    ];
    const age = { created: '2 hours', finished: '1 hour' };
    await addIdempotencyRecord(sql, { accountId: agent.accountId, key: 'theirs', part: 0, ...age });
    await addIdempotencyRecord(sql, { accountId: agent.accountId, key: 'theirs', part: 1, ...age });
    await addIdempotencyRecord(sql, { accountId: agent.accountId, key: 'both', part: 0, ...age });
    await addIdempotencyRecord(sql, { accountId: agent.accountId, key: 'both', part: 1, ...age });
    await addIdempotencyRecord(sql, {
      accountId: person.accountId,
      key: 'both',
      part: 0,
      created: '9 hours',
      finished: '8 hours',
    });

    expect((await claim(person.key, agent.token)).status).toBe(200);
    const moved = await sql`select id from jobs where account_id = ${person.accountId} order by id`;
    expect(moved.map(({ id }) => id)).toEqual(jobs.sort());
    expect(await sql`select 1 from jobs where account_id = ${agent.accountId}`).toHaveLength(0);
    const answers = async () =>
      (await sql`select account_id, key, part from idempotency_keys order by key, part, account_id`)
        .filter(({ account_id: id }) => [agent.accountId, person.accountId].includes(id))
        .map(({ account_id: id, key, part }) => [id === person.accountId ? 'person' : 'agent', key, part]);
    expect((await answers()).sort()).toEqual([
      ['agent', 'both', 0],
      ['agent', 'both', 1],
      ['agent', 'theirs', 0],
      ['agent', 'theirs', 1],
      ['person', 'both', 0],
    ]);
    await deleteAccount(harness.runtime, createSessionActor(person));
    expect(await answers()).toEqual([]);
  });

  it('works once: the same person gets the same response again, another gets CLAIM_CONFLICT, an unknown token NOT_FOUND @B9', async () => {
    const [person, other, agent] = [await harness.person(), await harness.person(), await provision()];
    const first = await claim(person.key, agent.token);
    expect((await claim(person.key, agent.token)).body).toEqual(first.body);
    expect(await claim(other.key, agent.token)).toMatchObject({
      status: 409,
      body: { error: { code: 'CLAIM_CONFLICT' } },
    });
    expect((await claim(person.key, `${agent.token}x`)).status).toBe(404);
  });

  it('by ten people at once succeeds for one of them @B9', async () => {
    const agent = await provision();
    const people = await Promise.all(Array.from({ length: 10 }, () => harness.person()));
    const statuses = (await Promise.all(people.map(({ key }) => claim(key, agent.token)))).map(
      (answer) => answer.status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  it('during running calls loses none of them', async () => {
    const [person, agent] = [await harness.person(), await provision()];
    const calls = Array.from({ length: 4 }, async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 8; i++) statuses.push((await echo(agent.key)).status);
      return statuses;
    });
    const claimed = claim(person.key, agent.token);
    expect((await Promise.all(calls)).flat().every((status) => status === 200)).toBe(true);
    expect((await claimed).status).toBe(200);
    expect((await harness.request('GET', '/v1/usage', { key: person.key })).body.calls).toBe(32);
  });

  it('over REST with a session is accepted only from our own pages @B9', async () => {
    const [person, agent] = [await harness.person(), await provision()];
    await harness.runtime
      .sql`insert into sessions (session_token, user_id, expires) values (${hashSessionToken('s3cret')}, ${person.userId}, now() + interval '1 hour')`;
    const ask = (origin: string) =>
      harness.request('POST', '/v1/auth/claim', {
        json: { token: agent.token },
        headers: { origin, cookie: 'next-auth.session-token=s3cret' },
      });
    expect((await ask('https://evil.example')).status).toBe(401);
    expect((await ask('http://gateway.test')).status).toBe(200);
    const keys = await harness.request('GET', '/v1/keys', {
      headers: { origin: 'http://gateway.test', cookie: 'next-auth.session-token=s3cret' },
    });
    expect(keys.status).toBe(401);
  });

  it('stores the token only as a hash @B5 @B9', async () => {
    const agent = await provision();
    const [row] = await harness.runtime
      .sql`select to_jsonb(a)::text as text from accounts a where id = ${agent.accountId}`;
    expect(row?.text).not.toContain(agent.token.slice(4, 20));
  });
});

describe('provisioning', () => {
  it('is limited per client network, IPv6 by /64, and returns the limits in its headers @B10', async () => {
    const small = await startHarness({ env: { PROVISION_PER_HOUR: '2' } });
    try {
      const from = (ip: string) => small.request('POST', '/v1/auth/provision', { ip });
      const first = await from('2001:db8:1:2::1');
      expect(first.headers['ratelimit-policy']).toBe('"provision";q=2;w=3600, "provision-day";q=20;w=86400');
      expect(first.headers.ratelimit).toMatch(/^"provision";r=1;t=\d+, "provision-day";r=19;t=\d+$/);
      await from('2001:db8:1:2:ffff::9');
      const refused = await from('2001:db8:1:2:3::4');
      expect(refused).toMatchObject({
        status: 429,
        body: { error: { code: 'RATE_LIMIT_EXCEEDED', limit: 'hour' } },
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
      expect((await from('2001:db8:1:3::1')).status).toBe(201);
    } finally {
      await small.close();
    }
  });

  it('is limited for the gateway as a whole, across addresses and processes @B10', async () => {
    const env = { PROVISION_TOTAL_PER_HOUR: '12' };
    const one = await startHarness({ env });
    const two = await startHarness({ env, peer: one });
    try {
      const from = (n: number) =>
        (n % 2 ? one : two).request('POST', '/v1/auth/provision', { ip: `203.0.113.${n}` });
      const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => from(n)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(12);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(18);
      for (const { body, headers } of refused) {
        expect(body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'total' });
        expect(body.error.retry_after).toBe(Number(headers['retry-after']));
        expect(headers['ratelimit-policy']).toContain('"provision-total";q=12;w=3600');
        expect(headers.ratelimit).toMatch(/"provision-total";r=0;t=\d+/);
      }
      const { sql } = one.runtime;
      expect(await sql`select 1 from accounts where type = 'provisional'`).toHaveLength(12);
      // A refusal uses up nothing of the address's own limit, and the next hour is open.
      expect(await sql`select 1 from rate_windows where scope = 'provision'`).toHaveLength(12);
      await sql`update rate_windows set started_at = started_at - interval '1 hour' where scope = 'provision-total'`;
      expect((await from(40)).status).toBe(201);
    } finally {
      await two.close();
      await one.close();
    }
  });
});

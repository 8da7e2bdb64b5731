import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp } from '@/test/support/mcp-client';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { createSessionActor } from '@/test/support/session-actor';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { deleteAccount } from '../../lifecycle/delete-account';
import { reconcile } from '../../money/reconcile/reconcile';
import { perCall } from '../../tools/sdk/define-tool';
import { leaveTeam } from '../teams/leave-team';
import { removeTeam } from '../teams/remove-team';
import { getKeyPage } from './get-key-page';
import { revokeKey } from './revoke-key';
import { setManagesAccount } from './set-manages-account';

/** Its calls may run before they are admitted. */
const instant = defineTestTool('instant', [
  defineTestSkill({
    name: 'answer',
    input: z.object({}),
    output: z.object({ answer: z.int() }),
    price: perCall(PROBE_PRICE),
    annotations: { idempotent: false },
    run: async () => ({ output: { answer: 42 } }),
  }),
]);
const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    role: 'web',
    tools: [probe.tool, instant],
    env: UNLIMITED_RATES,
    listen: true,
  });
});
afterAll(() => harness.close());
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

type Person = Awaited<ReturnType<Harness['person']>>;
const sql = () => harness.runtime.sql;
const send = (method: string, target: string, key: string, json?: object) =>
  harness.request(method, target, { key, json });

async function join(person: Person, teamId: string, role: 'admin' | 'member') {
  await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${person.userId}, ${role})`;
}

/** A team with credit, its owner, an admin, a member, and a key that the admin created. */
async function setUp(slug: string, rules: object = {}, credit = 100_000n) {
  const [owner, admin, member] = [await harness.person(), await harness.person(), await harness.person()];
  const teamId = await harness.team(owner.userId, slug, credit);
  await join(admin, teamId, 'admin');
  await join(member, teamId, 'member');
  const created = await send('POST', '/v1/keys', admin.key, { name: 'CI', billing: slug, ...rules });
  expect(created.status).toBe(201);
  const { id, secret } = created.body as { id: string; secret: string };
  return { owner, admin, member, teamId, slug, id, secret };
}
const call = (key: string, skill = 'ok_paid', rest: object = {}) =>
  send('POST', '/v1/tools/call', key, { tool: 'probe', skill, input: {}, ...rest });
const fetchBalance = async (accountId: string) =>
  (await sql()`select balance_microusd as balance from accounts where id = ${accountId}`)[0]?.balance;

describe('a key of a team', () => {
  it('charges the team without `billing`, admitted first or last, in a batch, as a job and over MCP', async () => {
    const { teamId, slug, secret } = await setUp('charged');
    const regular = await call(secret);
    expect(regular.body).toMatchObject({ billed: true, meta: { billing: slug } });
    const calls = [{ tool: 'probe', skill: 'ok_paid', input: {} }];
    const batch = await send('POST', '/v1/tools/batch', secret, { calls, billing: 'team' });
    expect(batch.body.results[0].meta.billing).toBe(slug);
    probe.release('queued');
    const job = await call(secret, 'queued_paid', { billing: slug, input: { id: 'queued' } });
    expect(job.body).toMatchObject({ status: 'success', meta: { billing: slug } });
    const flushes = harness.runtime.flush.counts().commit.flushes;
    const fast = await send('POST', '/v1/tools/call', secret, {
      tool: 'instant',
      skill: 'answer',
      input: {},
    });
    expect(fast.body).toMatchObject({ billed: true, meta: { billing: slug } });
    expect(harness.runtime.flush.counts().commit.flushes - flushes).toBe(1);
    const mcp = await connectMcp(harness.baseUrl, '2026-07-28', secret);
    const made = await mcp.callTool('call_tool', { tool: 'probe', skill: 'ok_paid', input: {} });
    expect(JSON.stringify(made)).toContain(`"billing":"${slug}"`);
    const rows =
      await sql()`select distinct account_id, billing from usage_records where account_id = ${teamId}`;
    expect(rows).toEqual([{ account_id: teamId, billing: 'personal' }]);
    const history = await send('GET', '/v1/usage/history', secret);
    expect(history.body.records).toHaveLength(5);
    for (const record of history.body.records) expect(record.billing).toBe(slug);
    const [spent] = await sql()`select 100000 - balance_microusd as spent from accounts where id = ${teamId}`;
    const [sum] = await sql()`select sum(raw_cost_microusd + markup_microusd)::bigint as cost
      from usage_records where account_id = ${teamId}`;
    expect(spent?.spent).toBe(sum?.cost);
  });

  it('charges no other account: not the personal one of its creator, not another team of its owner @B2', async () => {
    const team = await setUp('only');
    const other = await harness.team(team.owner.userId, 'other-of-owner', 100_000n);
    for (const billing of ['personal', 'other-of-owner']) {
      const refused = await call(team.secret, 'ok_paid', { billing });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
      expect(refused.body.error).toMatchObject({
        billed: false,
        message: expect.stringContaining('belongs to the team only'),
        fields: [{ path: 'billing' }],
      });
    }
    const settings = await send('GET', '/v1/billing/preferences?billing=personal', team.secret);
    expect(settings.body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('belongs to the team only'),
    });
    // The database refuses it as well, whatever a process asks for.
    const [row] = await sql()`select team_refusal(${team.teamId}, ${other}) as refusal`;
    expect(row?.refusal).toBe('forbidden');
    const balance = await send('GET', '/v1/billing/balance', team.secret);
    expect(balance.body.accounts).toMatchObject([{ id: team.teamId, type: 'team', role: 'member' }]);
    expect(balance.body.top_up_hint).toMatch(/sells no credit: ask its operator/);
    expect(await fetchBalance(other)).toBe(100_000n);
  });

  it('describes itself and its team, and sees its own calls only', async () => {
    const { teamId, secret, member, slug } = await setUp('self', { rate_limits: { per_minute: 30 } });
    await call(member.key, 'ok_paid', { billing: slug });
    await call(secret);
    const { body: me } = await send('GET', '/v1/me', secret);
    expect(me).toMatchObject({
      account: { id: teamId, type: 'team', slug: 'self' },
      restricted: true,
      key: { name: 'CI', manages_account: false },
    });
    const usage = await send('GET', '/v1/usage', secret);
    expect(usage.body.calls).toBe(1);
  });

  it('never manages the team: keys, credit, settings and claims are refused @F8', async () => {
    const { secret, id, owner } = await setUp('unmanaged');
    for (const [method, path, json] of [
      ['POST', '/v1/keys', {}],
      ['PATCH', `/v1/keys/${id}`, { tags: ['x'] }],
      ['POST', `/v1/keys/${id}/rotate`, {}],
      ['POST', '/v1/billing/checkout', { amount_usd: 10 }],
      ['PUT', '/v1/billing/preferences', { budgetLimit: null }],
      ['POST', '/v1/auth/claim', { token: 'clm_unknown' }],
      ['POST', '/v1/billing/machine-topup', { amount_usd: 5 }],
    ] as const)
      expect((await send(method, path, secret, json)).body.error.code, path).toBe('KEY_RESTRICTED');
    const { runtime } = harness;
    const asked = setManagesAccount(runtime, createSessionActor(owner), { id, manages_account: true });
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('has its own limits: a spending limit refuses the next call of the key only', async () => {
    const { secret, slug, admin } = await setUp('capped', {
      spend_limit: { amount_usd: 0.0001, period: 'month' },
    });
    expect((await call(secret)).status).toBe(200);
    const refused = await call(secret);
    expect(refused.body.error).toMatchObject({ code: 'SPENDING_LIMIT_EXCEEDED', limit: 'key' });
    expect((await call(admin.key, 'ok_paid', { billing: slug })).status).toBe(200);
  });
});

describe('the keys of a team', () => {
  it('are created, changed, rotated and revoked by its owner and admins; a member sees masks and limits @B2', async () => {
    const { owner, member, id, slug, secret } = await setUp('roles');
    expect((await send('POST', '/v1/keys', member.key, { billing: slug })).body.error.code).toBe('FORBIDDEN');
    const changes = [
      ['PATCH', `/v1/keys/${id}`, { tags: ['x'] }],
      ['POST', `/v1/keys/${id}/credits`, { amount: 1 }],
      ['POST', `/v1/keys/${id}/rotate`, {}],
      ['DELETE', `/v1/keys/${id}`, undefined],
    ] as const;
    for (const [method, path, json] of changes)
      expect((await send(method, path, member.key, json)).body.error.code, method).toBe('FORBIDDEN');
    const listed = await send('GET', `/v1/keys?billing=${slug}`, member.key);
    expect(listed.body.keys).toMatchObject([{ id, name: 'CI', key_prefix: expect.stringContaining('…') }]);
    expect(JSON.stringify(listed.body)).not.toContain(secret);
    expect((await send('GET', `/v1/keys/${id}`, member.key)).body.id).toBe(id);
    for (const [method, path, json] of changes)
      expect((await send(method, path, owner.key, json)).status, method).toBe(200);
    const audited = await sql()`select action from audit_events where target = ${id} order by id`;
    expect(audited.map(({ action }) => action)).toEqual([
      'key.create',
      'key.update',
      'key.add_credits',
      'key.rotate',
      'key.revoke',
    ]);
    expect((await call(secret)).status).toBe(401);
  });

  it('are shown to a member with their limits; only what the viewer may change is offered', async () => {
    const { owner, member, id } = await setUp('shown-to', { rate_limits: { per_minute: 30 } });
    const show = (person: Person, keyId: string) =>
      getKeyPage(harness.runtime, createSessionActor(person), keyId);
    const page = await show(member, id);
    expect(page).toMatchObject({ can_change: false, team: { slug: 'shown-to', role: 'member' } });
    expect(page.windows[0]).toMatchObject({ per: 'a minute', limit: 30, remaining: 30 });
    expect((await show(owner, id)).can_change).toBe(true);
    expect((await show(member, member.keyId)).can_change).toBe(true);
    await sql()`update api_keys set kind = 'playground' where id = ${member.keyId}`;
    expect((await show(member, member.keyId)).can_change).toBe(false);
  });

  it('are not changed by an admin whose own account is frozen, who may still revoke their own @B2', async () => {
    const { admin, id, secret } = await setUp('frozen-admin');
    const frozen = { ...createSessionActor(admin), accountFrozen: true };
    await expect(revokeKey(harness.runtime, frozen, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await call(secret)).status).toBe(200);
    await revokeKey(harness.runtime, frozen, admin.keyId);
  });

  it('are revoked by an operator', async () => {
    const { teamId, id, secret } = await setUp('operated');
    const operator = {
      kind: 'operator',
      name: 'op',
      accountId: teamId,
      accountType: 'team',
      accountFrozen: false,
    } as const;
    await revokeKey(harness.runtime, operator, id);
    expect((await call(secret, 'ok')).status).toBe(401);
  });

  it('do not exist for others: someone outside the team, and restricted keys of members @B2', async () => {
    const { admin, id, slug } = await setUp('hidden');
    const outsider = await harness.person();
    for (const method of ['GET', 'DELETE'] as const)
      expect((await send(method, `/v1/keys/${id}`, outsider.key)).status).toBe(404);
    expect((await send('GET', `/v1/keys?billing=${slug}`, outsider.key)).status).toBe(403);
    expect((await send('POST', '/v1/keys', outsider.key, { billing: slug })).status).toBe(403);
    const { body: narrow } = await send('POST', '/v1/keys', admin.key, { credits: 1 });
    expect((await send('GET', `/v1/keys/${id}`, narrow.secret)).status).toBe(404);
    expect((await send('GET', `/v1/keys?billing=${slug}`, narrow.secret)).body.error.code).toBe(
      'KEY_RESTRICTED',
    );
  });

  it('survive the member who created them; deletion of the team revokes them @B2', async () => {
    const { owner, admin, teamId, slug, secret, id } = await setUp('lasting', {}, 100n);
    await leaveTeam(harness.runtime, createSessionActor(admin), slug);
    expect((await send('POST', `/v1/keys/${id}/rotate`, admin.key, {})).status).toBe(404);
    expect((await call(secret)).body).toMatchObject({ billed: true, meta: { billing: slug } });
    await removeTeam(harness.runtime, createSessionActor(owner), slug);
    expect((await call(secret, 'ok')).status).toBe(401);
    const [key] =
      await sql()`select revoked_at is not null as revoked from api_keys where account_id = ${teamId}`;
    expect(key?.revoked).toBe(true);
  });

  it('are revoked with the account of an owner who is alone in the team', async () => {
    const owner = await harness.person();
    await harness.team(owner.userId, 'alone', 0n);
    const { body } = await send('POST', '/v1/keys', owner.key, { billing: 'alone' });
    await deleteAccount(harness.runtime, createSessionActor(owner));
    expect((await call(body.secret, 'ok')).status).toBe(401);
  });

  it('created and used by many at once spend the balance of the team exactly', async () => {
    const { owner, teamId, slug, secret } = await setUp('parallel', {}, 1_000n);
    const more = await Promise.all(
      Array.from({ length: 4 }, () => send('POST', '/v1/keys', owner.key, { billing: slug })),
    );
    const keys = [secret, ...more.map(({ body }) => body.secret as string)];
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => call(keys[n % 5] as string)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await fetchBalance(teamId)).toBe(0n);
  });
});

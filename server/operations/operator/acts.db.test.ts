import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeMcp, startFakeMcp, TEXT_TOOL } from '@/test/support/fake-mcp';
import type { Harness } from '@/test/support/harness';
import { callSkill, importForTest } from '@/test/support/import-fixture';
import { listProcedures } from '@/test/support/list-procedures';
import { callProcedure, OPERATOR } from '@/test/support/operator-fixture';
import { createProbe } from '@/test/support/probe-tool';
import { mapWindows } from '../../core/limits/limits';
import { listAudit } from './list-audit';
import { type OperatorPair, startOperatorPair } from './testing/operator-pair';

const { tool: probe, release } = createProbe();
let pair: OperatorPair;
let harness: Harness;
let other: Harness;
let upstream: FakeMcp;
let boss: OperatorPair['boss'];
let second: OperatorPair['second'];

beforeAll(async () => {
  pair = await startOperatorPair([probe]);
  ({ harness, other, boss, second } = pair);
  upstream = await startFakeMcp();
  await importForTest(harness, { name: 'shouter', source: { kind: 'mcp-http', url: upstream.url } });
});
afterAll(async () => {
  await pair?.close();
  await upstream?.close();
});

const form = () => crypto.randomUUID();
const audited = async () =>
  await harness.runtime.sql<
    {
      action: string;
      actor: string;
      request_id: string;
      account_id: string;
      details: Record<string, unknown>;
    }[]
  >`select * from audit_events where actor like 'operator:%@example.test' order by id`;

async function runningJob(key: string): Promise<string> {
  const { status, body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: probe.name, skill: 'wait', input: { id: form() } },
    headers: { prefer: 'wait=0' },
  });
  expect(status).toBe(202);
  return body.job_id;
}

/** Creates a valid input for each change, with everything it needs. */
const LIMITS = { ...mapWindows(() => 10), concurrent: 2, storage_mib: 10, month_limit_max_usd: null };
const PROMO = { amount_usd: 5, max_redemptions: 2, expires_at: null, new_people_only: false, note: '' };

const CHANGES: Record<string, () => Promise<unknown>> = {
  'operator.accounts.grant': async () => {
    const { accountId } = await harness.person(0n);
    return { account_id: accountId, amount_usd: 1.5, reason: 'for the trouble', form: form() };
  },
  'operator.accounts.freeze': async () => ({
    account_id: (await harness.person(0n)).accountId,
    reason: 'spam was sent',
  }),
  'operator.accounts.unfreeze': async () => {
    const { accountId } = await harness.person(0n);
    await harness.runtime.sql`update accounts set frozen_at = now() where id = ${accountId}`;
    return { account_id: accountId, reason: 'it was settled' };
  },
  'operator.accounts.resetFactor': async () => {
    const { accountId, userId } = await harness.person(0n);
    await harness.runtime
      .sql`insert into second_factors (user_id, sealed_secret, confirmed_at, recovery_hashes)
      values (${userId}, 'v1.k1.x', now(), '{}')`;
    return { account_id: accountId, reason: 'lost the phone' };
  },
  'operator.accounts.revokeKey': async () => {
    const { accountId, keyId } = await harness.person(0n);
    return { account_id: accountId, key_id: keyId };
  },
  'operator.accounts.refund': async () => {
    const { accountId, paymentId } = await pair.buyer();
    return { account_id: accountId, payment_id: paymentId, cents: 100, reason: 'asked for it', form: form() };
  },
  'operator.tools.switch': async () => ({ tool: probe.name, off: true, reason: 'it misbehaves' }),
  'operator.tools.setPrice': async () => ({
    tool: 'shouter',
    skill: null,
    platform_fee_usd: 0.003,
    provider_cost_usd: 0.001,
    reason: 'dearer there',
  }),
  'operator.pricing.set': async () => ({
    tool: probe.name,
    skill: 'wait',
    platform_fee_usd: null,
    reason: 'back to normal',
  }),
  'operator.tools.check': async () => ({ tool: 'shouter' }),
  'operator.tools.approve': async () => {
    upstream.tools = [{ ...TEXT_TOOL, description: 'Says it louder.' }];
    await boss.operator.tools.check({ tool: 'shouter' });
    const { source } = await boss.operator.tools.get({ tool: 'shouter' });
    expect(source?.differences[0]?.parts[0]).toMatchObject({ part: 'description', after: 'Says it louder.' });
    return { tool: 'shouter', hash: source?.pending_hash };
  },
  'operator.alerts.test': async () => undefined,
  'operator.incidents.post': async () => ({
    title: 'Slow calls',
    impact: 'minor',
    message: 'Calls take longer than usual.',
  }),
  'operator.incidents.update': async () => {
    const input = { title: 'Slow pages', impact: 'major', message: 'Pages take longer than usual.' } as const;
    const { id } = await second.operator.incidents.post(input);
    return { incident_id: id, state: 'resolved', message: 'Pages are fast again.' };
  },
  'operator.jobs.cancel': async () => {
    await boss.operator.tools.switch({ tool: probe.name, off: false, reason: 'it is well' });
    return { job_id: await runningJob((await harness.person(0n)).key) };
  },
  'operator.webhooks.replay': async () => ({
    event_id: await pair.failedEvent((await pair.buyer()).paymentId),
  }),
  'operator.webhooks.replayAll': async () => undefined,
  'operator.webhooks.resend': async () => {
    const { accountId } = await harness.person(0n);
    const [mail] = await harness.runtime.sql<{ id: bigint }[]>`
      insert into outgoing_emails (kind, account_id, attempts, due_at, error)
      values ('low_balance', ${accountId}, 10, now() + interval '1 day', 'no server') returning id`;
    return { mail_id: String(mail?.id) };
  },
  'operator.reconcile.run': async () => ({ ask_provider: true }),
  'operator.plans.save': async () => ({ ...LIMITS, name: 'Team' }),
  'operator.plans.remove': async () => await second.operator.plans.save({ ...LIMITS, name: 'Unused' }),
  'operator.plans.assign': async () => ({
    account_id: (await harness.person(0n)).accountId,
    limits: { source: 'own', limits: LIMITS },
  }),
  'operator.promos.create': async () => ({ ...PROMO, code: 'SPRING' }),
  'operator.promos.deactivate': async () => await second.operator.promos.create({ ...PROMO, code: 'SUMMER' }),
  'operator.signUp.set': async () => ({ choice: { policy: 'invite', domains: [] } }),
  'operator.signUp.invite': async () => ({ email: 'invited@gateway.test' }),
  'operator.signUp.uninvite': async () => {
    await second.operator.signUp.invite({ email: 'other@gateway.test' });
    const { invitations } = await second.operator.signUp.invitations({});
    return { id: invitations.find(({ email }) => email === 'other@gateway.test')?.id };
  },
};

describe('every change', () => {
  const mutations = listProcedures()
    .filter(({ name, type }) => name.startsWith('operator.') && type === 'mutation')
    .map(({ name }) => name);

  it('is covered by this table', () => {
    expect(Object.keys(CHANGES).sort()).toEqual([...mutations].sort());
  });

  it.each(Object.keys(CHANGES))('%s writes one audit event with its actor and request', async (path) => {
    const input = await CHANGES[path]?.();
    const before = (await audited()).length;
    await callProcedure(boss, path, input);
    const lines = (await audited()).slice(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      actor: `operator:${OPERATOR}`,
      request_id: expect.stringMatching(/^req_/),
    });
    const given = (input as { reason?: string } | undefined)?.reason;
    if (given) expect(JSON.stringify(lines[0]?.details)).toContain(given);
  });

  it('is refused without a required reason', async () => {
    const { accountId } = await harness.person(0n);
    await expect(boss.operator.accounts.freeze({ account_id: accountId, reason: ' ' })).rejects.toThrow();
    const grant = { account_id: accountId, amount_usd: 1, reason: '', form: form() };
    await expect(boss.operator.accounts.grant(grant)).rejects.toThrow();
  });

  it('and is found by its day', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const { events: all } = await listAudit(harness.runtime, {});
    expect(all).not.toEqual([]);
    expect((await listAudit(harness.runtime, { from: day(1), to: day(-1) })).events).toEqual(all);
    expect((await listAudit(harness.runtime, { from: day(-1) })).events).toEqual([]);
    expect((await listAudit(harness.runtime, { to: day(2) })).events).toEqual([]);
  });

  it('and every view of an account stays in the audit log: no event can be changed or removed', async () => {
    const { accountId } = await harness.person(0n);
    await boss.operator.accounts.get({ account_id: accountId });
    const line = (await audited()).at(-1);
    expect(line).toMatchObject({ action: 'account.view', account_id: accountId });
    const { sql } = harness.runtime;
    await expect(sql`update audit_events set actor = 'nobody'`).rejects.toThrow();
    await expect(sql`delete from audit_events`).rejects.toThrow();
    await expect(sql`truncate audit_events`).rejects.toThrow();
  });
});

describe('viewing accounts', () => {
  it('finds them by email, id, slug and the beginning of a key, and shows no secret', async () => {
    const person = await pair.buyer();
    const team = await harness.team(person.userId, `crew-${form().slice(0, 8)}`, 0n);
    const [{ slug } = { slug: '' }] = await harness.runtime.sql<{ slug: string }[]>`
      select slug from accounts where id = ${team}`;
    const ids = async (q: string) =>
      (await boss.operator.accounts.list({ q })).accounts.map(({ account_id }) => account_id);
    expect(await ids(person.accountId)).toEqual([person.accountId]);
    expect(await ids(person.userId)).toContain(person.accountId);
    expect(await ids(slug)).toEqual([team]);
    expect(await ids(person.key)).toEqual([person.accountId]);
    expect(await ids('100%')).toEqual([]);
    const detail = await boss.operator.accounts.get({ account_id: person.accountId });
    expect(detail.payments.payments[0]).toMatchObject({ payment_id: person.paymentId, refundable: true });
    expect(JSON.stringify(detail)).not.toContain(person.key);
  });

  it('pages through all accounts without a gap', async () => {
    const all = await harness.runtime.sql`select id from accounts where closed_at is null order by id desc`;
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await boss.operator.accounts.list({ cursor });
      seen.push(...page.accounts.map(({ account_id }) => account_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all.map(({ id }) => id));
  });
});

describe('a credit grant', () => {
  it('is applied once, however often its form is sent', async () => {
    const { accountId } = await harness.person(0n);
    const grant = { account_id: accountId, amount_usd: 2, reason: 'a gift', form: form() };
    const sent = await Promise.all([1, 2, 3].map(() => boss.operator.accounts.grant(grant)));
    expect(sent.filter(({ granted }) => granted)).toHaveLength(1);
    expect((await boss.operator.accounts.get({ account_id: accountId })).balance_usd).toBe(2);
  });
});

describe('a tool that is switched off', () => {
  it('is refused by every process within a second without a charge, and switched on as quickly', async () => {
    const { key } = await harness.person(1_000_000n);
    const call = async (where: Harness, skill = 'ok_paid') =>
      (await callSkill(where, key, `${probe.name}.${skill}`, {})).status;
    // By a notification: neither process polls the switches.
    const soon = (what: () => Promise<unknown>) => expect.poll(what, { interval: 20 });
    await boss.operator.tools.switch({ tool: probe.name, off: true, reason: 'it misbehaves' });
    await soon(() => call(other)).toBe(503);
    expect(await call(harness)).toBe(503);
    const shown = await other.request('GET', `/v1/tools/${probe.name}`);
    expect(shown.body).toMatchObject({
      available: false,
      unavailable_reason: 'The operator has switched it off.',
    });
    expect((await harness.request('GET', '/v1/billing/balance', { key })).body.held_usd ?? 0).toBe(0);
    await second.operator.tools.switch({ tool: probe.name, off: false, reason: 'it is well again' });
    await soon(() => call(harness)).toBe(200);
  });

  it('lets running calls finish normally', async () => {
    const { key } = await harness.person(1_000_000n);
    const id = form();
    const running = callSkill(harness, key, `${probe.name}.wait_paid`, { id });
    await expect
      .poll(async () => (await harness.runtime.sql`select 1 from calls where tool = ${probe.name}`).length)
      .toBeGreaterThan(0);
    await boss.operator.tools.switch({ tool: probe.name, off: true, reason: 'it misbehaves' });
    release(id);
    expect((await running).status).toBe(200);
    await boss.operator.tools.switch({ tool: probe.name, off: false, reason: 'it is well again' });
  });
});

describe('a reconcile run', () => {
  it('is stored with its result, and only one is in progress at a time', async () => {
    await expect
      .poll(async () => (await boss.operator.reconcile.list({})).runs[0]?.status)
      .not.toBe('running');
    const started = await Promise.allSettled(
      [boss, second].map((who) => who.operator.reconcile.run({ ask_provider: false })),
    );
    expect(started.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    await expect
      .poll(async () => (await boss.operator.reconcile.list({})).runs[0]?.status, { timeout: 15_000 })
      .toBe('ok');
    const person = await harness.person(5n);
    await harness.runtime.sql`update accounts set balance_microusd = 7 where id = ${person.accountId}`;
    await boss.operator.reconcile.run({ ask_provider: false });
    await expect
      .poll(async () => (await boss.operator.reconcile.list({})).runs[0]?.status, { timeout: 15_000 })
      .toBe('differences');
    const [run] = (await boss.operator.reconcile.list({})).runs;
    expect(run?.differences.some(({ subject }) => subject === person.accountId)).toBe(true);
    expect(run).toMatchObject({ by: `operator:${OPERATOR}`, checks_done: run?.checks });
    await harness.runtime.sql`update accounts set balance_microusd = 5 where id = ${person.accountId}`;
  });
});

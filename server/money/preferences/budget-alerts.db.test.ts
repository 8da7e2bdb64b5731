import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memberships } from '@/db/schema/accounts';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { setMemberLimit } from '../../identity/teams/member-limit';
import { sendEmails } from '../../notifications/email/send-emails';
import { sweep } from '../../operations/retention/sweep';
import type { EmailMessage } from '../../platform/ports/ports';

const sent: EmailMessage[] = [];
const mail = { send: async (message: EmailMessage) => void sent.push(message) };
let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ ports: { mail }, role: 'command', env: { CONCURRENT_CALLS: '10' } });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.runtime.sql`delete from outgoing_emails`;
  sent.length = 0;
});

const spend = (key: string, usd: number, billing?: string) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: usd }, billing },
  });
const setLimit = (key: string, budgetLimit: number | null, more: object = {}) =>
  harness.request('PUT', '/v1/billing/preferences', { key, json: { budgetLimit, ...more } });

/** The queued alerts of an account, as percentages of limits. */
async function listAlerts(accountId: string): Promise<string[]> {
  const rows = await harness.runtime.sql`
    select ref from outgoing_emails where kind = 'limit_alert' and account_id = ${accountId} order by id`;
  return rows.map(({ ref }) => String(ref).split(':').slice(1).join(' of '));
}

describe('an alert of the monthly limit', () => {
  it('is queued once for each of 50, 80 and 100 percent, with the charge that crosses it', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    await setLimit(key, 1);
    await spend(key, 0.49);
    expect(await listAlerts(accountId)).toEqual([]);
    for (const usd of [0.01, 0.05, 0.25, 0.1, 0.1]) await spend(key, usd);
    expect(await listAlerts(accountId)).toEqual(['50 of 1000000', '80 of 1000000', '100 of 1000000']);
    expect((await spend(key, 0.01)).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    expect(await listAlerts(accountId)).toHaveLength(3);
  });

  it('is queued once under concurrent calls of several keys @A19', async () => {
    const { accountId, key } = await harness.person(50_000_000n);
    await setLimit(key, 2);
    const others = await Promise.all(Array.from({ length: 3 }, () => harness.addKey(accountId)));
    const keys = [key, ...others.map((each) => each.key)];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => spend(keys[at % keys.length] ?? key, 0.05)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const alerts = await listAlerts(accountId);
    expect(new Set(alerts).size).toBe(alerts.length);
    expect(alerts.at(-1)).toBe('100 of 2000000');
  });

  it('names only the highest threshold that one charge crosses', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    await setLimit(key, 1);
    await spend(key, 0.9);
    expect(await listAlerts(accountId)).toEqual(['80 of 1000000']);
  });

  it('comes for 100 percent with the first refused call if the rest is smaller than every call', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    await setLimit(key, 1);
    await spend(key, 0.9);
    expect((await spend(key, 0.2)).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    await expect.poll(() => listAlerts(accountId)).toEqual(['80 of 1000000', '100 of 1000000']);
    await spend(key, 0.1);
    expect(await listAlerts(accountId)).toHaveLength(2);
  });

  it('is re-armed by a higher limit, without repeating what is already spent', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    await setLimit(key, 1);
    await spend(key, 1);
    await setLimit(key, 2);
    expect(await listAlerts(accountId)).toEqual(['100 of 1000000']);
    await spend(key, 0.6);
    await setLimit(key, 2);
    await spend(key, 0.1);
    await spend(key, 0.3);
    expect(await listAlerts(accountId)).toEqual(['100 of 1000000', '80 of 2000000', '100 of 2000000']);
  });

  it('is re-armed by a new month', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    await setLimit(key, 1);
    await spend(key, 1);
    await harness.runtime.sql`
      update accounts set month_start = month_start - interval '1 month' where id = ${accountId}`;
    await spend(key, 0.1);
    expect(await listAlerts(accountId)).toHaveLength(1);
    await spend(key, 0.4);
    expect(await listAlerts(accountId)).toEqual(['100 of 1000000', '50 of 1000000']);
  });

  it('is not queued if the account has turned alerts off, has no limit, or is unclaimed', async () => {
    const off = await harness.person(10_000_000n);
    const { body } = await setLimit(off.key, 1, { budgetAlerts: false });
    expect(body).toMatchObject({ budgetAlerts: false, budgetLimit: 1 });
    await spend(off.key, 1);
    const unlimited = await harness.person(10_000_000n);
    await spend(unlimited.key, 1);
    const unclaimed = await harness.person(10_000_000n);
    await setLimit(unclaimed.key, 1);
    await harness.runtime.sql`
      update accounts set type = 'provisional', owner_user_id = null where id = ${unclaimed.accountId}`;
    await harness.runtime.sql`update accounts set month_spent_microusd = 1000000,
      month_start = date_trunc('month', now() at time zone 'UTC')::date where id = ${unclaimed.accountId}`;
    for (const { accountId } of [off, unlimited, unclaimed]) expect(await listAlerts(accountId)).toEqual([]);
  });

  it('is emailed to owner and admins, with what happens and when it resets', async () => {
    const [owner, admin, member] = await Promise.all([harness.person(), harness.person(), harness.person()]);
    const teamId = await harness.team(owner.userId, 'alerted', 5_000_000n);
    await harness.runtime.db.insert(memberships).values([
      { accountId: teamId, userId: admin.userId, role: 'admin' },
      { accountId: teamId, userId: member.userId, role: 'member' },
    ]);
    await setLimit(owner.key, 1, { billing: 'alerted' });
    await spend(owner.key, 0.8, 'alerted');
    await spend(owner.key, 0.2, 'alerted');
    await sendEmails(harness.runtime, new AbortController().signal);
    expect(sent.map(({ subject }) => subject.split(':')[0]).sort()).toEqual([
      ...Array(2).fill('80% of the monthly limit is used'),
      ...Array(2).fill('The monthly limit is used up'),
    ]);
    expect(new Set(sent.map(({ to }) => to)).size).toBe(2);
    for (const { text } of sent) {
      expect(text).toContain('of its monthly limit of $1.00');
      expect(text).toContain('SPENDING_LIMIT_EXCEEDED');
      expect(text).toMatch(/until 1 \w+ \d{4}, 00:00 UTC/);
    }
  });
});

describe('an alert of a blocked member', () => {
  it('comes once a month and limit to the managers of the team and the member, in several processes too', async () => {
    const [owner, admin, member, other] = await Promise.all(
      Array.from({ length: 4 }, () => harness.person()),
    );
    if (!owner || !admin || !member || !other) throw new Error('Nobody was created');
    const teamId = await harness.team(owner.userId, 'crew', 5_000_000n);
    await harness.runtime.db.insert(memberships).values([
      { accountId: teamId, userId: admin.userId, role: 'admin' },
      { accountId: teamId, userId: member.userId, role: 'member' },
      { accountId: teamId, userId: other.userId, role: 'member' },
    ]);
    const limit = (limitUsd: number | null) =>
      setMemberLimit(harness.runtime, createSessionActor(owner), {
        slug: 'crew',
        userId: member.userId,
        limitUsd,
      });
    const count = async () => {
      const [row] = await harness.runtime.sql<{ n: number }[]>`
        select count(*)::int as n from outgoing_emails where kind = 'member_blocked' and account_id = ${teamId}`;
      return row?.n;
    };
    await limit(0.3);
    await spend(member.key, 0.2, 'crew');
    for (let n = 0; n < 3; n++)
      expect((await spend(member.key, 0.2, 'crew')).body.error).toMatchObject({ limit: 'member' });
    await expect.poll(count).toBe(1);
    const again = () => harness.runtime.sql`select emit_member_limit(${member.keyId}, ${teamId})`;
    await Promise.all([again(), again()]);
    expect(await count()).toBe(1);
    await sendEmails(harness.runtime, new AbortController().signal);
    const people = await harness.runtime.sql<{ email: string }[]>`
      select email from users where id in ${harness.runtime.sql([owner.userId, admin.userId, member.userId])}`;
    expect(sent.map(({ to }) => to).sort()).toEqual(people.map(({ email }) => email).sort());
    expect(sent[0]?.text).toContain('has used $0.20 of the monthly limit of $0.30');
    expect(sent[0]?.text).toContain('/dashboard/team/crew');

    // A changed limit makes a waiting email outdated, and is a new cause.
    await limit(0.35);
    expect((await spend(member.key, 0.2, 'crew')).body.error).toMatchObject({ limit: 'member' });
    await harness.runtime.sql`select emit_member_limit(${member.keyId}, ${teamId})`;
    expect(await count()).toBe(2);
    await limit(1);
    await sendEmails(harness.runtime, new AbortController().signal);
    expect(await count()).toBe(1);
    expect(sent).toHaveLength(3);
    await setLimit(owner.key, null, { billing: 'crew', budgetAlerts: false });
    await limit(0.25);
    await again();
    expect(await count()).toBe(1);
  });
});

describe('an alert of a blocked key', () => {
  const createKey = async (manager: string, json: object) =>
    (await harness.request('POST', '/v1/keys', { key: manager, json: { name: 'night shift', ...json } }))
      .body;
  const countQueued = async (accountId: string) => {
    const [row] = await harness.runtime.sql<{ n: number }[]>`
      select count(*)::int as n from outgoing_emails where kind = 'key_blocked' and account_id = ${accountId}`;
    return row?.n;
  };
  /** Another process would report the same refusals. */
  const reportAgain = (keyId: string) => harness.runtime.sql`
    select emit_key_spending_limit(${keyId}), emit_key_credit_limit(${keyId})`;

  it('comes once a period and limit, when the spending limit of the key refuses a call', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    const limited = await createKey(key, { spend_limit: { amount_usd: 0.25, period: 'week' } });
    await spend(limited.secret, 0.2);
    expect(await countQueued(accountId)).toBe(0);
    for (let i = 0; i < 3; i++)
      expect((await spend(limited.secret, 0.2)).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    await expect.poll(() => countQueued(accountId)).toBe(1);
    await Promise.all([reportAgain(limited.id), reportAgain(limited.id)]);
    expect(await countQueued(accountId)).toBe(1);
    await sendEmails(harness.runtime, new AbortController().signal);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.subject).toContain('A call exceeds the weekly spending limit of the key “night shift”');
    expect(sent[0]?.text).toContain('“night shift” of');
    expect(sent[0]?.text).toContain('$0.20 of its weekly spending limit of $0.25');
    expect(sent[0]?.text).toContain(`/dashboard/keys/${limited.id}`);

    // Another limit is another cause; the same one in the next period too.
    const raise = { spend_limit: { amount_usd: 0.3, period: 'week' } };
    await harness.request('PATCH', `/v1/keys/${limited.id}`, { key, json: raise });
    await reportAgain(limited.id);
    expect(await countQueued(accountId)).toBe(2);
    await harness.runtime.sql`update outgoing_emails set ref = replace(ref, ':week:', ':week:x')`;
    await reportAgain(limited.id);
    expect(await countQueued(accountId)).toBe(3);
  });

  it('comes once for a credit limit, names the key that has it, and not once the limit is raised', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    const [first, second] = [
      await createKey(key, { credits: 0.25 }),
      await createKey(key, { credits: 0.25 }),
    ];
    for (const { secret } of [first, second])
      expect((await spend(secret, 0.3)).body.error).toMatchObject({
        code: 'INSUFFICIENT_CREDITS',
        limit: 'key',
      });
    await expect.poll(() => countQueued(accountId)).toBe(2);
    await harness.request('POST', `/v1/keys/${first.id}/credits`, { key, json: { amount: 1 } });
    await sendEmails(harness.runtime, new AbortController().signal);
    expect(sent.map(({ text }) => text.includes(second.id))).toEqual([true]);
    expect(sent[0]?.subject).toContain('A call exceeds the credit limit of the key “night shift”');
  });

  it('comes once also after retention, until the limit or the period has changed', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    const limited = await createKey(key, {
      credits: 0.25,
      spend_limit: { amount_usd: 0.2, period: 'month' },
    });
    const { sql } = harness.runtime;
    const age = () => sql`update outgoing_emails set sent_at = now() - interval '31 days'`;
    await reportAgain(limited.id);
    await age();
    await sweep(harness.runtime);
    await reportAgain(limited.id);
    expect(await countQueued(accountId)).toBe(2);
    await harness.request('POST', `/v1/keys/${limited.id}/credits`, { key, json: { amount: 1 } });
    await sql`update outgoing_emails set ref = regexp_replace(ref, ':month:[^:]+', ':month:2020-01-01')`;
    await age();
    await sweep(harness.runtime);
    expect(await countQueued(accountId)).toBe(0);
  });

  it('is not sent to an account that has turned alerts off', async () => {
    const { key, accountId } = await harness.person(10_000_000n);
    await setLimit(key, null, { budgetAlerts: false });
    const limited = await createKey(key, { credits: 0.25 });
    expect((await spend(limited.secret, 0.3)).body.error.code).toBe('INSUFFICIENT_CREDITS');
    await reportAgain(limited.id);
    expect(await countQueued(accountId)).toBe(0);
  });
});

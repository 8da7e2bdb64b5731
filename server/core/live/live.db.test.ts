import { randomUUID } from 'node:crypto';
import { sql as raw } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import type { LiveName } from './schema';
import { readVersions } from './store';

const SOON = { interval: 20 };
/** The tests count polls, whatever their interval. */
const pace = { livePollMs: 50 };

let harness: Harness;
let other: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', pace });
  other = await startHarness({ role: 'web', peer: harness, pace });
});
afterAll(async () => {
  await other.close();
  await harness.close();
});

async function signIn(userId: string): Promise<string> {
  const sessionId = randomUUID();
  await harness.runtime.db.execute(
    raw`insert into sessions (session_token, user_id, expires) values (${sessionId}, ${userId}, now() + interval '1 hour')`,
  );
  return sessionId;
}

/** Opens a tab of this person on one process and collects its notifications. */
async function tab(userId: string, on = harness) {
  const sessionId = await signIn(userId);
  const received: LiveName[] = [];
  const ends: string[] = [];
  let polls = 0;
  let receivedIn = 0;
  const since = (await readVersions(on.runtime.sql, [sessionId])).get(sessionId) ?? null;
  const off = on.runtime.live.watch({
    sessionId,
    since,
    notify: (names) => {
      polls++;
      receivedIn = on.runtime.live.polls;
      received.push(...names);
    },
    end: (reason) => ends.push(reason),
  });
  await expect.poll(() => polls, SOON).toBe(1);
  return { sessionId, received, receivedIn: () => receivedIn, ends, off };
}

/** Waits for that many polls. */
async function waitForPolls(times: number, on = harness): Promise<void> {
  const enough = on.runtime.live.polls + times;
  await expect.poll(() => on.runtime.live.polls, SOON).toBeGreaterThanOrEqual(enough);
}

const call = (key: string, skill: string, input: object, headers = {}) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input }, headers });

describe('AccountWatch', () => {
  it('publishes a paid call by the second poll, on every process and only to its account', async () => {
    const [ann, ben] = [await harness.person(1_000_000n), await harness.person(1_000_000n)];
    const tabs = [await tab(ann.userId), await tab(ann.userId, other)];
    const outsider = await tab(ben.userId);
    expect((await call(ann.key, 'spend', { amount_usd: 0.01 })).status).toBe(200);
    const before = [harness, other].map(({ runtime }) => runtime.live.polls);
    for (const { received } of tabs)
      await expect.poll(() => [...new Set(received)].sort(), SOON).toEqual(['balance', 'calls']);
    for (const [at, { receivedIn }] of tabs.entries())
      expect(receivedIn() - (before[at] ?? 0)).toBeLessThanOrEqual(2);
    await waitForPolls(2);
    expect(outsider.received).toEqual([]);
    for (const { off } of [...tabs, outsider]) off();
  });

  it('reports free calls and the start, progress and end of jobs, and nothing else', async () => {
    const { key, userId } = await harness.person();
    const { received, off } = await tab(userId);
    await call(key, 'echo', { message: 1 });
    await expect.poll(() => received, SOON).toEqual(['calls']);
    await call(key, 'sleep', { seconds: 0.5, log_every_seconds: 0.1 }, { prefer: 'wait=0' });
    await expect.poll(() => received, SOON).toContain('jobs');
    await expect.poll(() => received.filter((name) => name === 'calls').length, SOON).toBe(2);
    await waitForPolls(2);
    const quiet = received.length;
    await waitForPolls(2);
    expect(received).toHaveLength(quiet);
    off();
  });

  it("reports a team's balance, and joining a team", async () => {
    const [owner, member] = [await harness.person(), await harness.person()];
    const { received, off } = await tab(member.userId);
    const teamId = await harness.team(owner.userId, `team-${randomUUID().slice(0, 8)}`, 2_000_000n);
    await harness.runtime.db.execute(
      raw`insert into memberships (account_id, user_id, role) values (${teamId}, ${member.userId}, 'member')`,
    );
    await expect.poll(() => received, SOON).toContain('balance');
    received.length = 0;
    await harness.runtime.db.execute(raw`update accounts set disputed_at = now() where id = ${teamId}`);
    await expect.poll(() => received, SOON).toEqual(['balance']);
    off();
  });

  it('reports changes since the token at once, or none', async () => {
    const { key, userId } = await harness.person(1_000_000n);
    const sessionId = await signIn(userId);
    const { live, sql } = harness.runtime;
    const since = (await readVersions(sql, [sessionId])).get(sessionId) ?? null;
    await call(key, 'spend', { amount_usd: 0.01 });
    const received: LiveName[][] = [];
    const watcher = { sessionId, notify: (names: LiveName[]) => received.push(names), end: () => undefined };
    const offs = [live.watch({ ...watcher, since })];
    await expect.poll(() => received, SOON).toEqual([['balance', 'calls']]);
    const now = (await readVersions(sql, [sessionId])).get(sessionId) ?? null;
    offs.push(live.watch({ ...watcher, since: now }));
    await expect.poll(() => received, SOON).toEqual([['balance', 'calls'], []]);
    for (const off of offs) off();
  });

  it('ends with its session', async () => {
    const { userId } = await harness.person();
    const { sessionId, ends, received } = await tab(userId);
    await harness.runtime.db.execute(raw`delete from sessions where session_token = ${sessionId}`);
    await expect.poll(() => ends, SOON).toEqual(['signed-out']);
    expect(received).toEqual([]);
    expect(harness.runtime.live.watching).toBe(0);
  });

  it('ends at once for an unknown session', async () => {
    const { userId } = await harness.person();
    const sessionId = await signIn(userId);
    const read = await readVersions(harness.runtime.sql, [sessionId, 'of nobody']);
    expect([...read.keys()]).toEqual([sessionId]);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp, MCP_CLIENTS } from '@/test/support/mcp-client';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { reconcile } from '../../money/reconcile/reconcile';
import { perCall } from '../../tools/sdk/define-tool';

const PRICE = 100n;
const input = z.object({ waits: z.boolean().default(false), saves: z.boolean().default(false) });
const output = z.object({ run: z.int() });

/** What the handlers did since the test began. */
const seen = { runs: 0, aborted: 0 };
/** Ends the handlers that wait. */
let release = () => {};
let released: Promise<void>;

const createSkill = (name: string, readOnly: boolean) =>
  defineTestSkill<z.infer<typeof input>, z.infer<typeof output>>({
    name,
    input,
    output,
    price: perCall(PRICE),
    annotations: { readOnly, idempotent: readOnly, estimatedSeconds: 1 },
    run: async ({ input: { waits, saves }, signal, files }) => {
      const run = ++seen.runs;
      if (saves)
        await files.save({ bytes: Buffer.from('saved') }, { filename: 'a.txt', contentType: 'text/plain' });
      signal.addEventListener('abort', () => {
        if (waits) seen.aborted++;
      });
      if (waits) await Promise.race([released, new Promise((end) => signal.addEventListener('abort', end))]);
      return { output: { run } };
    },
  });

const remote = defineTestTool('remote', [createSkill('read', true), createSkill('write', false)]);

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [remote], listen: true });
});
beforeEach(() => {
  Object.assign(seen, { runs: 0, aborted: 0 });
  released = new Promise((done) => {
    release = done;
  });
});
afterEach(async () => {
  release();
  vi.restoreAllMocks();
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});
afterAll(() => harness.close());

const call = (key: string, skill = 'read', waits = false, saves = false, headers = {}) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    headers,
    json: { tool: 'remote', skill, input: { waits, saves } },
  });

const batch = (key: string, waits: readonly boolean[], limits: { max_cost_usd?: number } = {}) =>
  harness.request('POST', '/v1/tools/batch', {
    key,
    json: {
      calls: waits.map((each) => ({ tool: 'remote', skill: 'read', input: { waits: each } })),
      ...limits,
    },
  });

/** A person whose key the database has reported on, by one admitted call. */
async function knownPerson(balance = 1_000_000n) {
  const person = await harness.person(balance);
  expect((await call(person.key)).status).toBe(200);
  seen.runs = 0;
  return person;
}

const countStatements = () => {
  const { admit, commit, end } = harness.runtime.flush.counts();
  return { admit: admit.items, commit: commit.items, end: end.items };
};

const countCharges = async (accountId: string) =>
  (await harness.runtime.sql`select count(*)::int as n from usage_records where account_id = ${accountId}`)[0]
    ?.n;

it('a skill that only reads takes one statement if its key was well within its limits', async () => {
  const { key, accountId } = await knownPerson();
  const before = countStatements();
  const answer = await call(key);
  expect(answer.body).toMatchObject({ status: 'success', output: { run: 1 }, usage: { cost: 0.0001 } });
  expect(countStatements()).toEqual({ ...before, commit: before.commit + 1 });
  expect(await countCharges(accountId)).toBe(2);
});

it.each(MCP_CLIENTS)('the MCP client %s runs and cancels calls that only read', async (kind) => {
  const { key } = await knownPerson();
  const mcp = await connectMcp(harness.baseUrl, kind, key);
  const before = countStatements();
  const read = { tool: 'remote', skill: 'read' };
  const quick = await mcp.callTool('call_tool', { ...read, input: {} });
  expect(quick.structuredContent).toMatchObject({ status: 'success', usage: { cost: 0.0001 } });
  expect(countStatements()).toEqual({ ...before, commit: before.commit + 1 });
  const abort = new AbortController();
  const slow = mcp
    .callTool('call_tool', { ...read, input: { waits: true } }, undefined, { signal: abort.signal })
    .catch((error) => error);
  await expect.poll(() => seen.runs).toBe(2);
  abort.abort();
  expect(await slow).toBeInstanceOf(Error);
  const readLast = async () =>
    (await harness.request('GET', '/v1/usage/history?limit=1', { key })).body.records[0];
  await expect.poll(readLast).toMatchObject({ status: 'error', error_code: 'CANCELLED', cost_usd: 0 });
  // The record is written first; the run hears of it by a notice.
  await expect.poll(() => seen).toEqual({ runs: 2, aborted: 1 });
  await mcp.close();
});

it('a skill that changes something is admitted first', async () => {
  const { key } = await knownPerson();
  const before = countStatements();
  expect((await call(key, 'write')).status).toBe(200);
  expect(countStatements()).toEqual({ ...before, admit: before.admit + 1, end: before.end + 1 });
});

it('a call that takes longer is admitted while it runs, runs once and is charged once', async () => {
  const { key, keyId, accountId } = await knownPerson();
  const answer = call(key, 'read', true);
  await expect
    .poll(async () => (await harness.runtime.sql`select 1 from calls where key_id = ${keyId}`).length)
    .toBe(1);
  expect(seen.runs).toBe(1);
  release();
  expect((await answer).body).toMatchObject({ status: 'success', output: { run: 1 } });
  expect(seen.runs).toBe(1);
  expect(await countCharges(accountId)).toBe(2);
});

it('calls whose admission is under way still count against the slots of their key', async () => {
  const { key } = await knownPerson();
  const { flush } = harness.runtime;
  const { admitCall } = flush;
  let admit = () => {};
  const allowed = new Promise<void>((done) => {
    admit = done;
  });
  const asked = vi
    .spyOn(flush, 'admitCall')
    .mockImplementation((request) => allowed.then(() => admitCall(request)));
  const slots = harness.runtime.quotas.concurrent;
  const running = Array.from({ length: slots }, () => call(key, 'read', true));
  await expect.poll(() => asked.mock.calls.length).toBe(slots);
  const oneMore = call(key, 'read', true);
  await expect.poll(() => asked.mock.calls.length).toBe(slots + 1);
  expect(seen.runs).toBe(slots);
  admit();
  expect((await oneMore).status).toBe(429);
  release();
  for (const { status } of await Promise.all(running)) expect(status).toBe(200);
});

it.each([true, false])(
  'a refused call is aborted, never answered and never charged; still running: %s',
  async (waits) => {
    const { key, keyId, accountId } = await knownPerson();
    await harness.runtime.sql`update api_keys set window_used = '{60,60}' where id = ${keyId}`;
    const answer = await call(key, 'read', waits);
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
    expect(seen.runs).toBe(1);
    if (waits) await expect.poll(() => seen.aborted).toBe(1);
    expect(await countCharges(accountId)).toBe(1);
  },
);

it('an attempt that the one statement did not admit is not repeated when it is admitted afterwards', async () => {
  const { key, accountId } = await knownPerson();
  vi.spyOn(harness.runtime.flush, 'commitCall').mockResolvedValueOnce(null);
  expect((await call(key)).body).toMatchObject({ status: 'success', output: { run: 1 } });
  expect(seen.runs).toBe(1);
  expect(await countCharges(accountId)).toBe(2);
});

it.each([false, true])(
  'with an Idempotency-Key the response is stored with the charge; slow: %s',
  async (waits) => {
    const { key, keyId, accountId } = await knownPerson();
    const before = harness.runtime.flush.counts();
    const send = () => call(key, 'read', waits, false, { 'idempotency-key': 'kept' });
    const answers = Promise.all([send(), send()]);
    if (waits) {
      await expect
        .poll(async () => (await harness.runtime.sql`select 1 from calls where key_id = ${keyId}`).length)
        .toBe(1);
      release();
    }
    const [one, two] = await answers;
    expect(one.body).toMatchObject({ status: 'success', output: { run: 1 } });
    expect(two.body).toEqual(one.body);
    expect((await send()).body).toEqual(one.body);
    expect(seen.runs).toBe(1);
    expect(await countCharges(accountId)).toBe(2);
    const after = harness.runtime.flush.counts();
    expect(after.commit.items - before.commit.items).toBe(waits ? 0 : 1);
    expect(after.end.items - before.end.items).toBe(waits ? 1 : 0);
  },
);

it('a refused call with an Idempotency-Key leaves the key free', async () => {
  const { key, keyId } = await knownPerson();
  const windows = (used: string) =>
    harness.runtime.sql`update api_keys set window_used = ${used}::int[] where id = ${keyId}`;
  await windows('{60,60}');
  const send = () => call(key, 'read', false, false, { 'idempotency-key': 'refused' });
  expect((await send()).status).toBe(429);
  await windows('{1,1}');
  expect((await send()).body).toMatchObject({ status: 'success' });
});

it('a file is saved only once its call is admitted', async () => {
  const { key, keyId, accountId } = await knownPerson();
  const countFiles = async () =>
    (await harness.runtime.sql`select count(*)::int as n from assets where account_id = ${accountId}`)[0]?.n;
  expect((await call(key, 'read', false, true)).body).toMatchObject({
    status: 'success',
    output: { run: 1 },
  });
  expect(await countFiles()).toBe(1);
  expect(await countCharges(accountId)).toBe(2);
  await harness.runtime.sql`update api_keys set window_used = '{60,60}' where id = ${keyId}`;
  expect((await call(key, 'read', false, true)).status).toBe(429);
  expect(seen.runs).toBe(2);
  expect(await countFiles()).toBe(1);
});

it('a revoked key gets no result, although its call has run', async () => {
  const { key, keyId, accountId } = await knownPerson();
  await harness.runtime.sql`update api_keys set revoked_at = now() where id = ${keyId}`;
  expect((await call(key)).status).toBe(401);
  expect((await batch(key, [false, false])).status).toBe(401);
  expect((await batch(key, [false, false], { max_cost_usd: 0 })).status).toBe(401);
  expect(await countCharges(accountId)).toBe(1);
});

it('the elements of a batch are admitted, charged and recorded in one statement', async () => {
  const { key, accountId } = await knownPerson();
  const before = harness.runtime.flush.counts();
  const { body } = await batch(key, [false, false, false]);
  expect(body.results).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'success', billed: true })));
  const after = harness.runtime.flush.counts();
  expect([after.admit, after.end]).toEqual([before.admit, before.end]);
  const { flushes, items } = before.commit;
  expect(after.commit).toMatchObject({ flushes: flushes + 1, items: items + 3 });
  expect(await countCharges(accountId)).toBe(4);
});

it('an element of a batch that takes longer is admitted, and the others are committed without it', async () => {
  const { key, accountId } = await knownPerson();
  const before = countStatements();
  const answer = batch(key, [false, true, false]);
  await expect.poll(() => countCharges(accountId)).toBe(3);
  await expect.poll(() => countStatements().admit).toBe(before.admit + 1);
  release();
  const { body } = await answer;
  expect(body.results).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'success' })));
  expect(countStatements()).toEqual({
    admit: before.admit + 1,
    commit: before.commit + 2,
    end: before.end + 1,
  });
  expect(seen.runs).toBe(3);
  expect(await countCharges(accountId)).toBe(4);
});

it('the elements of a batch are admitted first if their key may not run all of them at once', async () => {
  const { key, accountId } = await knownPerson();
  const before = countStatements();
  await batch(key, Array<boolean>(6).fill(false));
  expect(countStatements()).toMatchObject({ commit: before.commit, end: before.end + 6 });
  expect(seen.runs).toBe(6);
  expect(await countCharges(accountId)).toBe(7);
});

it('two processes that run calls first admit exactly what the window and the funds allow', async () => {
  const other = await startHarness({ tools: [remote], peer: harness });
  try {
    const { key, keyId, accountId } = await knownPerson(9n * PRICE);
    const send = (at: Harness) =>
      at.request('POST', '/v1/tools/call', { key, json: { tool: 'remote', skill: 'read', input: {} } });
    expect((await send(other)).status).toBe(200);
    // Ten calls are left in the window, and credit for seven. Both processes believe in far more.
    const { sql } = harness.runtime;
    await sql`update api_keys set window_used[1] = 50 where id = ${keyId}`;
    for (const { runtime } of [harness, other]) {
      runtime.keyStates.report(keyId, 1_000_000n, [{ used: 0, resetSeconds: 60 }]);
      vi.spyOn(runtime.keyStates, 'report').mockReturnValue();
      vi.spyOn(runtime.keyStates, 'forget').mockReturnValue();
    }
    const statuses: number[] = [];
    const work = async (at: Harness) => {
      for (let n = 0; n < 10; n++) statuses.push((await send(at)).status);
    };
    await Promise.all([harness, other, harness, other].map(work));
    expect(seen.runs).toBeGreaterThan(20);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.every((status) => [200, 402, 429].includes(status))).toBe(true);
    const [row] =
      await sql`select a.balance_microusd as balance, a.held_microusd as held, k.running, k.window_used[1] as used
      from accounts a, api_keys k where a.id = ${accountId} and k.id = ${keyId}`;
    expect(row).toMatchObject({ balance: 0n, held: 0n, running: 0, used: 57 });
  } finally {
    await other.close();
  }
});

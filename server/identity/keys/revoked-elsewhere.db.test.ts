import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connect, isTokenValid } from '@/test/support/oauth-fixture';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';
import { createSessionActor } from '@/test/support/session-actor';
import { deleteAccount } from '../../lifecycle/delete-account';
import { reconcile } from '../../money/reconcile/reconcile';
import { disconnect } from '../oauth/disconnect';
import { hashKey } from './key-format';
import { buildProbeCall as buildCall, KEY_REQUESTS } from './testing/key-requests';

const probe = createProbe();
let one: Harness;
let two: Harness;
beforeAll(async () => {
  const options = { tools: [probe.tool], env: { AUTH_SECRET: randomBytes(32).toString('base64') } };
  one = await startHarness(options);
  two = await startHarness({ ...options, peer: one });
});
afterAll(async () => {
  expect((await reconcile(one.runtime)).differences).toEqual([]);
  await two.close();
  await one.close();
});

type Person = Awaited<ReturnType<Harness['person']>>;
const call = (where: Harness, key: string, skill = 'ok', id = '', headers = {}) =>
  where.request('POST', '/v1/tools/call', { key, json: buildCall(skill, id), headers });
const isRemembered = (where: Harness, key: string) =>
  where.runtime.keyCache.get(hashKey(key).toString('hex')) !== undefined;

/** A second key of a person, cached by both processes. */
async function createCachedKey(person: Person) {
  const other = await one.addKey(person.accountId);
  for (const where of [one, two]) {
    expect((await call(where, other.key)).status).toBe(200);
    expect(isRemembered(where, other.key)).toBe(true);
  }
  return other;
}
const revokeAtOne = async (person: Person, keyId: string) =>
  expect((await one.request('DELETE', `/v1/keys/${keyId}`, { key: person.key })).status).toBe(200);

describe('a key that was revoked in one process', () => {
  it.each(KEY_REQUESTS)(
    'is refused by the next request to the other process, which has it cached: %s @B6',
    async (_, request) => {
      const person = await one.person(1_000_000n);
      const { key, keyId } = await createCachedKey(person);
      const id = `job of ${keyId}`;
      const started = await call(two, key, 'wait', id, { prefer: 'wait=0' });
      expect(started.status).toBe(202);
      await revokeAtOne(person, keyId);
      expect(isRemembered(two, key)).toBe(true);
      for (let time = 0; time < 2; time++) {
        const refused = await two.request(...request(key, started.body.job_id));
        expect(refused).toMatchObject({ status: 401, body: { error: { code: 'AUTH_FAILED' } } });
      }
      probe.release(id);
      // The job belongs to the account: its other keys can still follow it.
      await expect
        .poll(
          async () =>
            (await two.request('GET', `/v1/jobs/${started.body.job_id}`, { key: person.key })).body.status,
          {
            timeout: 10_000,
          },
        )
        .toBe('completed');
    },
  );

  it('finishes and charges its running call and stream once each @B6', async () => {
    const person = await one.person(1_000_000n);
    const { key, keyId } = await createCachedKey(person);
    const running = call(two, key, 'wait_paid', 'running while revoked');
    const stream = call(two, key, 'wait_paid', 'streamed while revoked', { accept: 'text/event-stream' });
    await probe.waitUntilStarted('running while revoked', 'streamed while revoked');
    await revokeAtOne(person, keyId);
    expect((await call(two, key, 'ok_paid')).status).toBe(401);
    probe.release('running while revoked', 'streamed while revoked');
    expect((await running).body).toMatchObject({ status: 'success' });
    expect(readEvents((await stream).text).at(-1)).toMatchObject({ event: 'result' });
    const [row] = await one.runtime.sql`
      select balance_microusd as balance, held_microusd as held from accounts where id = ${person.accountId}`;
    expect(row).toEqual({ balance: 1_000_000n - 2n * PROBE_PRICE, held: 0n });
  });

  it('because its account was deleted is refused by the other process, as are the applications of the account @B6', async () => {
    const person = await one.person();
    const { key } = await createCachedKey(person);
    const { access } = await connect(one, person);
    for (const where of [one, two]) expect(await isTokenValid(where, access)).toBe(true);
    await deleteAccount(one.runtime, createSessionActor(person));
    for (const where of [two, one]) {
      expect((await call(where, key)).body.error.code).toBe('AUTH_FAILED');
      expect((await call(where, person.key, 'ok', '', { accept: 'text/event-stream' })).status).toBe(401);
      expect(await isTokenValid(where, access)).toBe(false);
    }
  });

  it('that belongs to an application is refused by the other process at its next request @B6', async () => {
    const person = await one.person();
    const { access } = await connect(one, person);
    expect(await isTokenValid(two, access)).toBe(true);
    const [grant] = await one.runtime.sql`select id from oauth_grants where user_id = ${person.userId}`;
    await disconnect(one.runtime, createSessionActor(person), grant?.id);
    expect(await isTokenValid(two, access)).toBe(false);
    expect(await isTokenValid(one, access)).toBe(false);
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { hashKey } from './key-format';
import { buildProbeCall, KEY_REQUESTS } from './testing/key-requests';

const probe = createProbe();
let one: Harness;
let two: Harness;
beforeAll(async () => {
  const options = { tools: [probe.tool], env: UNLIMITED_RATES };
  one = await startHarness(options);
  two = await startHarness({ ...options, peer: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const call = (where: Harness, key: string, skill = 'ok', id = '', headers = {}) =>
  where.request('POST', '/v1/tools/call', { key, json: buildProbeCall(skill, id), headers });
const isCached = (where: Harness, key: string) =>
  where.runtime.keyCache.get(hashKey(key).toString('hex')) !== undefined;

/** A key that both processes have in their caches, and the key that manages it. */
async function createCachedKey() {
  const person = await one.person(1_000_000n);
  const created = await one.request('POST', '/v1/keys', { key: person.key, json: {} });
  const { id: keyId, secret: key } = created.body;
  for (const where of [one, two]) {
    expect((await call(where, key)).status).toBe(200);
    expect(isCached(where, key)).toBe(true);
  }
  const change = async (json: object) => {
    const { status } = await one.request('PATCH', `/v1/keys/${keyId}`, { key: person.key, json });
    expect(status).toBe(200);
  };
  const rotate = async (grace_seconds: number) => {
    const json = { grace_seconds };
    const { body } = await one.request('POST', `/v1/keys/${keyId}/rotate`, { key: person.key, json });
    expect(body.id).toBe(keyId);
    return body.secret as string;
  };
  return { key, keyId, change, rotate };
}

describe('a key that was changed in one process is refused by the next request to the other, which has it cached', () => {
  it.each(KEY_REQUESTS)(
    '%s: expired, or from a network that is no longer allowed @F8',
    async (_, request) => {
      const { key, keyId, change } = await createCachedKey();
      const id = `job of ${keyId}`;
      const started = await call(two, key, 'wait', id, { prefer: 'wait=0' });
      expect(started.status).toBe(202);
      await change({ allowed_ips: ['203.0.113.0/24'] });
      for (let time = 0; time < 2; time++)
        expect(await two.request(...request(key, started.body.job_id))).toMatchObject({
          status: 403,
          body: { error: { code: 'IP_NOT_ALLOWED' } },
        });
      await change({ allowed_ips: null });
      expect((await call(two, key)).status).toBe(200);
      await change({ expires_at: new Date(Date.now() - 1).toISOString() });
      for (let time = 0; time < 2; time++) {
        const refused = await two.request(...request(key, started.body.job_id));
        expect(refused).toMatchObject({ status: 401, body: { error: { code: 'AUTH_FAILED' } } });
        expect(refused.body.error.message).toContain('expired');
      }
      probe.release(id);
    },
  );

  it('a call, a stream, a job and a batch of a tool that is no longer allowed @F8', async () => {
    const { key, change } = await createCachedKey();
    await change({ allowed_tools: ['probe.ok_paid'] });
    for (const [name, request] of KEY_REQUESTS.slice(0, 7)) {
      if (['a paid call', 'a wrong input', 'a body that is not JSON'].includes(name)) continue;
      const { status, body } = await two.request(...request(key, ''));
      expect([name, status, body.error?.code]).toEqual([name, 403, 'TOOL_NOT_ALLOWED']);
    }
    const { body } = await two.request('POST', '/v1/tools/batch', {
      key,
      json: { calls: [buildProbeCall('ok'), buildProbeCall('ok_paid')] },
    });
    expect(body.results).toMatchObject([{ error: { code: 'TOOL_NOT_ALLOWED' } }, { status: 'success' }]);
    await change({ allowed_tools: null });
    expect((await call(two, key)).status).toBe(200);
  });

  it('a call beyond a limit that was set or lowered', async () => {
    const { key, change } = await createCachedKey();
    await change({ spend_limit: { amount_usd: 0.0001, period: 'month' } });
    expect((await call(two, key, 'ok_paid')).status).toBe(200);
    expect((await call(two, key, 'ok_paid')).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    await change({ spend_limit: null, rate_limits: { per_minute: 3 } });
    const { status, body } = await call(two, key);
    expect([status, body.error.message]).toEqual([429, 'At most 3 calls a minute.']);
  });

  it('a key that expires while its entry is cached, by the clock of the database', async () => {
    const { key, keyId, change } = await createCachedKey();
    await change({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await call(two, key)).status).toBe(200);
    // As when time passes: the entry still says that the key is valid for an hour.
    await one.runtime.sql`update api_keys set expires_at = now() where id = ${keyId}`;
    expect((await call(two, key)).body.error).toMatchObject({ code: 'AUTH_FAILED' });
  });
});

it('a call that is refused for a cached key is prepared again only if the key has changed', async () => {
  const { key, change } = await createCachedKey();
  await change({ allowed_tools: ['probe.ok'] });
  expect((await call(two, key)).status).toBe(200);
  const getSkill = vi.spyOn(two.runtime.tools, 'getSkill');
  try {
    expect((await call(two, key, 'ok_paid')).body.error.code).toBe('TOOL_NOT_ALLOWED');
    expect(getSkill).toHaveBeenCalledTimes(1);
    await change({ allowed_tools: null });
    expect((await call(two, key, 'ok_paid')).status).toBe(200);
    expect(getSkill).toHaveBeenCalledTimes(3);
  } finally {
    getSkill.mockRestore();
  }
});

describe('a rotated key', () => {
  it('works with both secrets during the grace, and only with the new one afterwards', async () => {
    const { key, keyId, rotate } = await createCachedKey();
    const second = await rotate(3_600);
    for (const where of [one, two])
      for (const secret of [key, second, key]) expect((await call(where, secret)).status).toBe(200);
    const usage = await two.request('GET', '/v1/usage', { key: second });
    expect(usage.body).toMatchObject({ calls: 8 });
    await one.runtime.sql`update api_keys set previous_expires_at = now() where id = ${keyId}`;
    for (const where of [two, one]) {
      expect((await call(where, key)).body.error.code).toBe('AUTH_FAILED');
      expect((await call(where, second)).status).toBe(200);
    }
  });

  it('without a grace, or rotated again, refuses the older secret at the next request @F8', async () => {
    const { key, rotate } = await createCachedKey();
    const second = await rotate(3_600);
    for (const where of [one, two])
      for (const secret of [key, second]) expect((await call(where, secret)).status).toBe(200);
    const third = await rotate(3_600);
    expect((await call(two, key)).status).toBe(401);
    for (const secret of [second, third]) expect((await call(two, secret)).status).toBe(200);
    const fourth = await rotate(0);
    for (const secret of [key, second, third]) expect((await call(two, secret)).status).toBe(401);
    expect((await call(two, fourth)).status).toBe(200);
  });

  it('is revoked with both secrets', async () => {
    const { key, keyId, rotate } = await createCachedKey();
    const second = await rotate(3_600);
    expect((await call(two, key)).status).toBe(200);
    await one.runtime.sql`update api_keys set revoked_at = now() where id = ${keyId}`;
    for (const where of [two, one])
      for (const secret of [key, second]) expect((await call(where, secret)).status).toBe(401);
  });

  it('under load fails no call: each client changes to the new secret when it has it', async () => {
    const { key, rotate } = await createCachedKey();
    let current = key;
    let isDone = false;
    const statuses: number[] = [];
    const counts = [0, 0, 0, 0];
    const client = async (where: Harness, index: number) => {
      while (!isDone) {
        const skill = statuses.length % 2 ? 'ok' : 'ok_paid';
        statuses.push((await call(where, current, skill)).status);
        counts[index] = (counts[index] ?? 0) + 1;
      }
    };
    const clients = [one, two, one, two].map(client);
    for (let round = 0; round < 4; round++) {
      current = await rotate(60);
      const before = [...counts];
      // Two each: the first may have been sent before the rotation.
      await expect.poll(() => counts.every((count, at) => count >= (before[at] ?? 0) + 2)).toBe(true);
    }
    isDone = true;
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('shows its secret once, and a replayed rotation has the mask', async () => {
    const person = await one.person();
    const rotate = (where: Harness) =>
      where.request('POST', `/v1/keys/${person.keyId}/rotate`, {
        key: person.key,
        json: { grace_seconds: 600 },
        headers: { 'idempotency-key': 'rotate once' },
      });
    const { secret, ...shown } = (await rotate(one)).body;
    const again = await rotate(two);
    expect(again.body).toEqual(shown);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(shown.key_prefix).toBe(`${secret.slice(0, 12)}…${secret.slice(-4)}`);
    expect(new Date(shown.previous_secret_expires_at).getTime()).toBeGreaterThan(Date.now());
    const rows = await one.runtime.sql`select to_jsonb(k)::text as text from api_keys k
      union all select to_jsonb(i)::text from idempotency_keys i`;
    for (const { text } of rows) expect(text).not.toContain(secret);
  });
});

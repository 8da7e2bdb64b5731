import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { setCreditLimit } from './set-credit-limit';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness();
  person = await harness.person(1_000_000n);
});
afterAll(() => harness.close());

const create = (json?: unknown) => harness.request('POST', '/v1/keys', { key: person.key, json });

describe('a key', () => {
  it('is returned once and stored only as a hash @B5', async () => {
    const created = await create({ name: 'agent' });
    const { secret, id } = created.body;
    expect(secret).toMatch(/^tg_live_[0-9A-Za-z]{38}$/);
    for (const path of ['/v1/keys', `/v1/keys/${id}`]) {
      const { text } = await harness.request('GET', path, { key: person.key });
      expect(text).not.toContain(secret);
      expect(text).toContain(`${secret.slice(0, 12)}…${secret.slice(-4)}`);
    }
    const [row] = await harness.runtime
      .sql`select to_jsonb(k)::text as text from api_keys k where id = ${id}`;
    expect(row?.text).not.toContain(secret.slice(12, -4));
  });

  it('of another account gives the same error as an unknown id', async () => {
    const outsider = await harness.person();
    for (const [method, path, json] of [
      ['GET', (id: string) => `/v1/keys/${id}`, undefined],
      ['DELETE', (id: string) => `/v1/keys/${id}`, undefined],
      ['POST', (id: string) => `/v1/keys/${id}/credits`, { amount: 1 }],
      ['GET', (id: string) => `/v1/usage?key_id=${id}`, undefined],
      ['GET', (id: string) => `/v1/usage/history?key_id=${id}`, undefined],
    ] as const) {
      const theirs = await harness.request(method, path(person.keyId), { key: outsider.key, json });
      const unknown = await harness.request(method, path('key_unknown'), { key: outsider.key, json });
      expect(theirs.status).toBe(404);
      expect({ ...theirs.body.error, request_id: '' }).toEqual({ ...unknown.body.error, request_id: '' });
    }
  });

  it('shows what is left of its credit limit; raising it adds no credit', async () => {
    const { id } = (await create({ name: 'capped', credits: 0.5 })).body;
    const raised = await harness.request('POST', `/v1/keys/${id}/credits`, {
      key: person.key,
      json: { amount: 0.25 },
    });
    expect(raised.body).toMatchObject({ credits: 0.75, credits_used: 0 });
    expect(
      (await harness.request('GET', '/v1/billing/balance', { key: person.key })).body.available_usd,
    ).toBe(1);
  });

  it('gets a credit limit that counts what it has used, never below that, and loses it again', async () => {
    const { id, secret } = (await create({ name: 'total', credits: 0.5 })).body;
    const spend = async (usd: number) => {
      const json = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: usd } };
      return (await harness.request('POST', '/v1/tools/call', { key: secret, json })).status;
    };
    const set = (usd: number | null) =>
      setCreditLimit(harness.runtime, createSessionActor(person), { id, credit_limit_usd: usd });
    expect(await spend(0.2)).toBe(200);
    expect(await set(0.3)).toMatchObject({ credits: 0.1, credits_used: 0.2 });
    expect([await spend(0.2), await spend(0.1)]).toEqual([402, 200]);
    await expect(set(0.299999)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'credit_limit_usd: At least $0.30, which the key has used. To stop it, revoke it.',
    });
    expect(await set(null)).toMatchObject({ credits: null, credits_used: 0.3 });
    expect(await spend(0.2)).toBe(200);
    await harness.request('DELETE', `/v1/keys/${id}`, { key: person.key });
    await expect(set(1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('stays revoked, and revoking it again returns NOT_FOUND', async () => {
    const { id } = (await create()).body;
    expect((await harness.request('DELETE', `/v1/keys/${id}`, { key: person.key })).status).toBe(200);
    expect((await harness.request('DELETE', `/v1/keys/${id}`, { key: person.key })).status).toBe(404);
    expect((await harness.request('GET', `/v1/keys/${id}`, { key: person.key })).body.status).toBe('revoked');
  });

  it('is recorded in the audit log when created and revoked, without its secret', async () => {
    const { id, secret } = (await create({ name: 'audited' })).body;
    await harness.request('DELETE', `/v1/keys/${id}`, { key: person.key });
    const rows = await harness.runtime
      .sql`select action, to_jsonb(e)::text as text from audit_events e where target = ${id} order by created_at`;
    expect(rows.map((row) => row.action)).toEqual(['key.create', 'key.revoke']);
    expect(rows.some((row) => row.text.includes(secret))).toBe(false);
    await expect(harness.runtime.sql`delete from audit_events`).rejects.toThrow('append-only');
  });
});

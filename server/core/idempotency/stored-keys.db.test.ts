import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';

let one: Harness;
let two: Harness;
beforeAll(async () => {
  one = await startHarness({ role: 'web', env: { PROVISION_PER_HOUR: '100', PROVISION_PER_DAY: '100' } });
  two = await startHarness({ role: 'web', peer: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const create = (key: string, idempotency: string, json?: object, at = one) =>
  at.request('POST', '/v1/keys', { key, json, headers: { 'idempotency-key': idempotency } });
const addCredits = (key: string, id: string, idempotency: string, amount: number, at = one) =>
  at.request('POST', `/v1/keys/${id}/credits`, {
    key,
    json: { amount },
    headers: { 'idempotency-key': idempotency },
  });
const listKeys = async (key: string) => (await one.request('GET', '/v1/keys', { key })).body.keys;

describe('creating a key with an Idempotency-Key', () => {
  it('creates one key for twenty concurrent requests; one returns the secret, the others its mask @B4', async () => {
    const { key } = await one.person();
    const id = newId('request');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create(key, id, { name: 'agent', credits: 5 }, i % 2 ? one : two)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const [first, ...more] = answers.filter(({ body }) => body.secret !== undefined);
    expect(more).toEqual([]);
    expect(first?.headers['idempotent-replayed']).toBeUndefined();
    const { secret, ...masked } = first?.body ?? {};
    const others = answers.filter((answer) => answer !== first);
    expect(others.map(({ body }) => body)).toEqual(Array(19).fill(masked));
    expect(others.every(({ headers }) => headers['idempotent-replayed'] === 'true')).toBe(true);
    expect(await listKeys(key)).toHaveLength(2);
    expect((await listKeys(secret)).map(({ id }: { id: string }) => id)).toContain(masked.id);
  });

  it('stores no secret', async () => {
    const { key, accountId } = await one.person();
    const { body } = await create(key, newId('request'));
    const rows = await one.runtime
      .sql`select reply::text from idempotency_keys where account_id = ${accountId}`;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.reply).not.toContain(body.secret);
    expect(rows[0]?.reply).not.toContain('"secret"');
  });

  it('treats a missing body like an empty one, and another name as another request', async () => {
    const { key } = await one.person();
    const id = newId('request');
    await create(key, id);
    expect(await create(key, id, {})).toMatchObject({
      status: 201,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(await create(key, id, { name: 'another' })).toMatchObject({
      status: 422,
      body: { error: { code: 'IDEMPOTENCY_MISMATCH' } },
    });
  });

  it('succeeds after the account was claimed, because CLAIM_REQUIRED is not stored', async () => {
    const { body: provisioned } = await one.request('POST', '/v1/auth/provision');
    const id = newId('request');
    const refused = await create(provisioned.api_key, id);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'CLAIM_REQUIRED' } } });
    const person = await one.person();
    const token = new URL(provisioned.claim_url).searchParams.get('token');
    await one.request('POST', '/v1/auth/claim', { key: person.key, json: { token, manages_account: true } });
    expect((await create(provisioned.api_key, id)).body.secret).toMatch(/^tg_live_/);
  });

  it('does not replay for a revoked key', async () => {
    const person = await one.person();
    const other = await one.addKey(person.accountId);
    const id = newId('request');
    await create(other.key, id);
    await one.request('DELETE', `/v1/keys/${other.keyId}`, { key: person.key });
    expect((await create(other.key, id)).status).toBe(401);
  });
});

describe('adding to an allowance with an Idempotency-Key', () => {
  it('adds once for twenty concurrent requests', async () => {
    const person = await one.person();
    const { keyId } = await one.addKey(person.accountId, 0n);
    const id = newId('request');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => addCredits(person.key, keyId, id, 2.5, i % 2 ? one : two)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { id: keyId, credits: 2.5 } });
  });

  it('treats another key as another request', async () => {
    const person = await one.person();
    const [a, b] = [await one.addKey(person.accountId, 0n), await one.addKey(person.accountId, 0n)];
    const id = newId('request');
    await addCredits(person.key, a.keyId, id, 1);
    expect((await addCredits(person.key, b.keyId, id, 1)).status).toBe(422);
    expect((await addCredits(person.key, a.keyId, id, 2)).status).toBe(422);
  });

  it('does not store a refusal', async () => {
    const person = await one.person();
    const id = newId('request');
    expect((await addCredits(person.key, 'key_unknown', id, 1)).status).toBe(404);
    expect((await addCredits(person.key, 'key_unknown', id, -1)).status).toBe(400);
    const { body } = await addCredits(person.key, person.keyId, id, 1);
    expect(body.credits).toBe(1);
  });

  it('is rolled back if its response cannot be stored', async () => {
    const person = await one.person();
    const { keyId } = await one.addKey(person.accountId, 0n);
    const id = newId('request');
    const { sql } = one.runtime;
    await sql`alter table idempotency_keys add constraint broken check (status is null) not valid`;
    expect((await addCredits(person.key, keyId, id, 1)).status).toBe(500);
    await sql`alter table idempotency_keys drop constraint broken`;
    expect((await addCredits(person.key, keyId, id, 1)).body.credits).toBe(1);
  });
});

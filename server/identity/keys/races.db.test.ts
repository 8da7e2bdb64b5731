import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { newId } from '../../kit/ids';
import { deleteAccount } from '../../lifecycle/delete-account';
import { chooseAccount } from '../../money/billing/choose-account';
import { MAX_ACTIVE_KEYS } from './create-key';

let harness: Harness;
let peer: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { PROVISION_PER_HOUR: '1000', PROVISION_PER_DAY: '1000' } });
  peer = await startHarness({ peer: harness });
});
afterAll(async () => {
  await peer.close();
  await harness.close();
});

const room = 3;

it('thirty concurrent requests to two processes never exceed the maximum number of keys', async () => {
  const { sql } = harness.runtime;
  const person = await harness.person();
  await sql`insert into api_keys (id, account_id, name, key_hash, mask)
    select ${newId('key')} || n, ${person.accountId}, 'one of many', sha256(('many ' || n)::bytea), 'mask'
    from generate_series(1, ${MAX_ACTIVE_KEYS - 1 - room}) n`;
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      (n % 2 ? harness : peer).request('POST', '/v1/keys', { key: person.key, json: { name: 'one more' } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
  expect(answers.filter(({ body }) => body.error?.code === 'FORBIDDEN')).toHaveLength(30 - room);
  const [row] = await sql`select count(*)::int as n from api_keys
    where account_id = ${person.accountId} and revoked_at is null`;
  expect(row?.n).toBe(MAX_ACTIVE_KEYS);
});

it('no key outlives its account, even if it is created or claimed during the deletion @B6', async () => {
  const { sql } = harness.runtime;
  for (let round = 0; round < 8; round++) {
    const person = await harness.person();
    const { body } = await harness.request('POST', '/v1/auth/provision');
    const token = new URL(body.claim_url).searchParams.get('token');
    const [made, claimed] = await Promise.all([
      peer.request('POST', '/v1/keys', { key: person.key, json: { name: 'late' } }),
      peer.request('POST', '/v1/auth/claim', { key: person.key, json: { token } }),
      deleteAccount(harness.runtime, createSessionActor(person)),
    ]);
    expect([201, 401]).toContain(made.status);
    expect([200, 401]).toContain(claimed.status);
    const live =
      await sql`select id from api_keys where account_id = ${person.accountId} and revoked_at is null`;
    expect(live).toEqual([]);
    if (made.status === 201)
      expect((await peer.request('GET', '/v1/keys', { key: made.body.secret })).status).toBe(401);
  }
});

it('a request whose account is deleted before it is used is refused like one with a revoked key', async () => {
  const actor = createSessionActor(await harness.person());
  await deleteAccount(harness.runtime, actor);
  for (const billing of [undefined, 'personal'])
    await expect(chooseAccount(harness.runtime, actor, billing, 'admin')).rejects.toMatchObject({
      code: 'AUTH_FAILED',
    });
});

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProviderProbe } from '@/test/support/provider-probe';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { deleteAccount } from '../../lifecycle/delete-account';
import { listAccountRequirements } from './list-account-requirements';
import { removeCredential } from './remove-credential';
import { saveCredential } from './save-credential';
import { savedContext } from './seal-context';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [createProviderProbe()], env: UNLIMITED_RATES });
});
afterAll(() => harness.close());

const OPENAI = '/v1/account/requirements/openai';
const generateSecret = () => `sk-test-secret-${randomBytes(12).toString('hex')}`;
const save = (key: string, json: unknown, target = OPENAI) => harness.request('PUT', target, { key, json });
const remove = (key: string, query = '', target = OPENAI) =>
  harness.request('DELETE', target + query, { key });
const fetchEntries = async (key: string, name = 'openai') => {
  const { body } = await harness.request('GET', '/v1/account/requirements', { key });
  return body.requirements.find((requirement: { name: string }) => requirement.name === name).entries;
};
const fetchRows = (accountId: string) => harness.runtime.sql<
  {
    id: string;
    accountId: string;
    slot: string;
    label: string;
    sealed: string;
    version: number;
    is_default: boolean;
  }[]
>`select id, account_id as "accountId", slot, label, sealed, version, is_default from credentials
  where account_id = ${accountId} order by created_at, id`;

it('GET /v1/requirements lists every provider, where to get a key and which tools use it, without authentication', async () => {
  const { status, body } = await harness.request('GET', '/v1/requirements');
  expect(status).toBe(200);
  expect(body.requirements).toHaveLength(10);
  for (const requirement of body.requirements)
    expect(requirement).toMatchObject({
      type: 'api_key',
      displayName: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
      acquireUrl: expect.stringMatching(/^https:/),
      setupGuide: expect.stringMatching(/./),
    });
  const used = Object.fromEntries(
    body.requirements.map(({ name, registeredBy }: { name: string; registeredBy: string[] }) => [
      name,
      registeredBy,
    ]),
  );
  expect(used).toMatchObject({ openai: ['provider-probe'], anthropic: ['provider-probe'], tavily: [] });
});

describe('a saved value', () => {
  it('is always masked, and sealed in the database', async () => {
    const { key, accountId } = await harness.person();
    const value = generateSecret();
    const saved = await save(key, { value });
    expect(saved).toMatchObject({
      status: 200,
      body: {
        name: 'openai',
        configured: true,
        entries: [{ label: 'default', is_default: true, last_used_at: null }],
      },
    });
    expect(saved.body.entries[0].masked).toBe(`${value.slice(0, 4)}…${value.slice(-4)}`);
    const listed = await harness.request('GET', '/v1/account/requirements', { key });
    expect(listed.body.requirements).toHaveLength(10);
    expect(saved.text + listed.text).not.toContain(value);
    const [row] = await fetchRows(accountId);
    if (!row) throw new Error('not saved');
    expect(row.sealed).not.toContain(value);
    expect(harness.runtime.ports.vault.open(row.sealed, savedContext(row))).toBe(value);
    const [audit] = await harness.runtime.sql`
      select action, actor, target, details, to_jsonb(e)::text as text from audit_events e where account_id = ${accountId}`;
    expect(audit).toMatchObject({
      action: 'credential.save',
      target: row.id,
      details: { slot: 'openai', label: 'default', version: 1, is_default: true },
    });
    expect(audit?.text).not.toContain(value);
  });

  it('cannot be decrypted in the row of another account, provider or label, nor as an older version @B5', async () => {
    const [first, second] = [await harness.person(), await harness.person()];
    for (const { key } of [first, second]) {
      await save(key, { value: generateSecret(), label: 'a' });
      await save(key, { value: generateSecret(), label: 'b' });
      await save(key, { value: generateSecret(), label: 'a' }, '/v1/account/requirements/anthropic');
    }
    const rows = [...(await fetchRows(first.accountId)), ...(await fetchRows(second.accountId))];
    expect(rows).toHaveLength(6);
    const { vault } = harness.runtime.ports;
    for (const row of rows)
      for (const other of rows)
        if (row === other) expect(vault.open(row.sealed, savedContext(row))).toMatch(/^sk-/);
        else expect(() => vault.open(other.sealed, savedContext(row))).toThrow();
    const [old] = rows;
    await save(first.key, { value: generateSecret(), label: 'a' });
    const [renewed] = await fetchRows(first.accountId);
    expect(renewed).toMatchObject({ id: old?.id, version: 2 });
    if (old && renewed) expect(() => vault.open(old.sealed, savedContext(renewed))).toThrow();
  });

  it('has a label; the first value is the default until another becomes it', async () => {
    const { key } = await harness.person();
    await save(key, { value: generateSecret(), label: 'work' });
    await save(key, { value: generateSecret(), label: 'home', is_default: false });
    expect(await fetchEntries(key)).toMatchObject([
      { label: 'work', is_default: true },
      { label: 'home', is_default: false },
    ]);
    await save(key, { value: generateSecret(), label: 'home', is_default: true });
    await save(key, { value: generateSecret(), label: 'third' });
    // Replacing a value keeps its position.
    await save(key, { value: generateSecret(), label: 'home' });
    expect(await fetchEntries(key)).toMatchObject([
      { label: 'work', is_default: false },
      { label: 'home', is_default: true },
      { label: 'third', is_default: false },
    ]);
    expect(await fetchEntries(key, 'anthropic')).toEqual([]);
    // If the default is removed, the oldest other value becomes it.
    expect(await remove(key, '?label=home')).toMatchObject({
      status: 200,
      body: { success: true, name: 'openai' },
    });
    expect(await fetchEntries(key)).toMatchObject([
      { label: 'work', is_default: true },
      { label: 'third', is_default: false },
    ]);
    expect((await remove(key)).status).toBe(200);
    expect(await fetchEntries(key)).toEqual([]);
  });

  it('can be replaced without a label only while it is the only one', async () => {
    const { key } = await harness.person();
    expect((await save(key, { value: generateSecret() })).status).toBe(200);
    expect((await save(key, { value: generateSecret() })).body.entries).toHaveLength(1);
    await save(key, { value: generateSecret(), label: 'work' });
    const refused = await save(key, { value: generateSecret() });
    expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'label' }] } } });
    expect(refused.body.error.message).toContain('"work"');
  });

  it('is one of at most ten', async () => {
    const { key } = await harness.person();
    const saved = await Promise.all(
      Array.from({ length: 14 }, (_, n) => save(key, { value: generateSecret(), label: `l${n}` })),
    );
    expect(saved.filter(({ status }) => status === 200)).toHaveLength(10);
    const entries = await fetchEntries(key);
    expect(entries).toHaveLength(10);
    expect(entries.filter((entry: { is_default: boolean }) => entry.is_default)).toHaveLength(1);
    // An existing value can still be replaced.
    expect((await save(key, { value: generateSecret(), label: entries[3].label })).status).toBe(200);
  });

  it('cannot be seen, replaced or removed by another account', async () => {
    const [mine, theirs] = [await harness.person(), await harness.person()];
    await save(mine.key, { value: generateSecret(), label: 'mine' });
    expect(await fetchEntries(theirs.key)).toEqual([]);
    expect((await remove(theirs.key, '?label=mine')).status).toBe(404);
    await save(theirs.key, { value: generateSecret(), label: 'mine' });
    await remove(theirs.key);
    expect(await fetchEntries(mine.key)).toHaveLength(1);
  });

  it('can also be saved and removed in the dashboard, with a session', async () => {
    const { runtime } = harness;
    const person = await harness.person();
    const actor = createSessionActor(person);
    await saveCredential(
      { runtime, actor },
      { name: 'openai', value: generateSecret(), label: 'from a page' },
    );
    expect(await fetchEntries(person.key)).toMatchObject([{ label: 'from a page', is_default: true }]);
    const listed = await listAccountRequirements(runtime, actor);
    expect(listed.requirements.find(({ name }) => name === 'openai')?.configured).toBe(true);
    await removeCredential(runtime, actor, { name: 'openai' });
    expect(await fetchEntries(person.key)).toEqual([]);
    const audit =
      await runtime.sql`select action, actor from audit_events where account_id = ${person.accountId}`;
    expect(audit.map(({ actor: by }) => by)).toEqual([`user:${person.userId}`, `user:${person.userId}`]);
  });

  it('can neither be saved nor removed with a key of a frozen account', async () => {
    const { key, accountId } = await harness.person();
    await save(key, { value: generateSecret() });
    await harness.runtime.sql`update accounts set frozen_at = now() where id = ${accountId}`;
    expect(await save(key, { value: generateSecret() })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    });
    expect((await remove(key)).status).toBe(403);
  });

  it('is deleted with its account, and the audit log records how many were', async () => {
    const person = await harness.person();
    await save(person.key, { value: generateSecret(), label: 'a' });
    await save(person.key, { value: generateSecret(), label: 'b' });
    await deleteAccount(harness.runtime, createSessionActor(person));
    expect(await fetchRows(person.accountId)).toHaveLength(0);
    const [audit] = await harness.runtime
      .sql`select details from audit_events where account_id = ${person.accountId} and action = 'account.delete'`;
    expect(audit?.details).toMatchObject({ provider_keys: 2 });
  });
});

describe('a request', () => {
  it.each([
    ['a name that no provider has', 'acme'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['hasOwnProperty', 'hasOwnProperty'],
    ['another case', 'OpenAI'],
  ])('for %s gets 404, to save and to remove', async (_, name) => {
    const { key } = await harness.person();
    const target = `/v1/account/requirements/${name}`;
    const saved = await save(key, { value: generateSecret() }, target);
    expect([saved.status, saved.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect((await remove(key, '', target)).status).toBe(404);
  });

  it('to remove a missing value gets 404, with and without a label', async () => {
    const { key } = await harness.person();
    expect((await remove(key)).status).toBe(404);
    await save(key, { value: generateSecret() });
    expect((await remove(key, '?label=other')).status).toBe(404);
  });

  it('of a provisional key saves nothing until the key is claimed @B12', async () => {
    const provisioned = await harness.request('POST', '/v1/auth/provision');
    const refused = await save(provisioned.body.api_key, { value: generateSecret() });
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'CLAIM_REQUIRED', claim_url: expect.stringContaining('/claim?token=') } },
    });
    const listed = await harness.request('GET', '/v1/account/requirements', {
      key: provisioned.body.api_key,
    });
    expect(listed.status).toBe(200);
  });

  it.each([
    ['white space around it', ` ${'x'.repeat(20)}`],
    ['a line break', `${'x'.repeat(20)}\n`],
    ['a NUL', `${'x'.repeat(20)}\u0000`],
    ['six thousand characters', 'x'.repeat(6000)],
    ['nothing', ''],
    ['letters beyond ASCII', 'schlüssel-schlüssel'],
  ])('to save a value with %s gets 400 on the field, without the value', async (_, value) => {
    const { key } = await harness.person();
    const refused = await save(key, { value });
    expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'value' }] } } });
    if (value.length > 3) expect(refused.text).not.toContain(JSON.stringify(value).slice(1, -1));
  });

  it.each(['', ' a', 'a ', 'a\u0000', 'x'.repeat(65)])('with the label %j gets 400', async (label) => {
    const { key } = await harness.person();
    expect(await save(key, { value: generateSecret(), label })).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path: 'label' }] } },
    });
  });

  it('without a key reveals nothing', async () => {
    expect((await harness.request('GET', '/v1/account/requirements')).status).toBe(401);
    expect((await harness.request('PUT', OPENAI, { json: { value: generateSecret() } })).status).toBe(401);
    expect((await harness.request('DELETE', OPENAI)).status).toBe(401);
  });
});

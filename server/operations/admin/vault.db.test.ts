import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { queuedContext, savedContext } from '../../catalog/credentials/seal-context';
import { newId } from '../../kit/ids';
import { runAdmin } from '../../main/admin/admin';
import { createVault } from '../../platform/ports/vault';

const createKey = () => randomBytes(32).toString('base64');
const KEYS = { k1: createKey(), k2: createKey() };
/** More values than one batch of a rotation. */
const VALUES = 450;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { VAULT_KEY: KEYS.k1, VAULT_KEY_ID: 'k1', ...UNLIMITED_RATES } });
});
afterAll(() => harness.close());

/** Runs an admin command in this process on the harness's database, with these vault keys. */
async function admin(vault: Record<string, string>, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const { databaseUrl, dataDir } = harness.runtime.settings;
  const env = { NODE_ENV: 'test' as const, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...vault };
  const code = await runAdmin({
    args: [...args, '--json'],
    env,
    cwd: dataDir,
    print: (line) => out.push(line),
    report: (line) => err.push(line),
  });
  return { code, json: JSON.parse(out.at(-1) ?? 'null'), all: [...out, ...err].join('\n') };
}
const rotated = { VAULT_KEY: KEYS.k2, VAULT_KEY_ID: 'k2', VAULT_KEYS_OLD: `k1:${KEYS.k1}` };

it('a rotation reseals all values of an old key in batches, after which the key can be removed', async () => {
  const { runtime } = harness;
  const person = await harness.person();
  const value = 'sk-test-secret-rotated';
  const saved = await harness.request('PUT', '/v1/account/requirements/openai', {
    key: person.key,
    json: { value },
  });
  expect(saved.status).toBe(200);
  const callId = newId('call');
  await runtime.sql`insert into queued_call_states (call_id, slot, source, sealed_key)
    values (${callId}, 'openai', 'header', ${runtime.ports.vault.seal(value, queuedContext(callId))})`;
  for (let n = 0; n < VALUES; n++) {
    const bound = { accountId: person.accountId, slot: 'exa', id: newId('credential'), version: 1 };
    await runtime.sql`insert into credentials (id, account_id, slot, label, is_default, sealed, vault_key_id, version, mask)
      values (${bound.id}, ${bound.accountId}, 'exa', ${`l${n}`}, false,
        ${runtime.ports.vault.seal(`${value}-${n}`, savedContext(bound))}, 'k1', 1, '…')`;
  }

  // Without the old key nothing opens; the command reports that, and nothing is lost.
  const alone = { VAULT_KEY: KEYS.k2, VAULT_KEY_ID: 'k2' };
  const status = await admin(alone, 'vault', 'status');
  expect(status).toMatchObject({
    code: 1,
    json: {
      ok: false,
      keys: [
        { id: 'k1', present: false, current: false, saved: VALUES + 1, queued: 1 },
        { id: 'k2', present: true, current: true, saved: 0, queued: 0 },
      ],
    },
  });
  expect(await admin(alone, 'vault', 'rotate')).toMatchObject({
    code: 1,
    json: { ok: false, resealed: 0, missing: { k1: VALUES + 2 }, broken: [] },
  });

  expect((await admin(rotated, 'vault', 'status')).code).toBe(0);
  const done = await admin(rotated, 'vault', 'rotate');
  expect(done).toMatchObject({ code: 0, json: { ok: true, resealed: VALUES + 2, missing: {}, broken: [] } });
  expect(await admin(alone, 'vault', 'status')).toMatchObject({
    code: 0,
    json: { keys: [{ id: 'k2', saved: VALUES + 1, queued: 1 }] },
  });
  expect(await admin(rotated, 'vault', 'rotate')).toMatchObject({ code: 0, json: { resealed: 0 } });

  const vault = createVault({ id: 'k2', key: KEYS.k2 });
  const rows = await runtime.sql<
    { id: string; accountId: string; slot: string; version: number; sealed: string; vault_key_id: string }[]
  >`select id, account_id as "accountId", slot, version, sealed, vault_key_id from credentials`;
  expect(rows).toHaveLength(VALUES + 1);
  for (const row of rows) {
    expect(row).toMatchObject({ vault_key_id: 'k2', version: 1 });
    expect(vault.open(row.sealed, savedContext(row))).toMatch(/^sk-test-secret-rotated/);
  }
  const [state] = await runtime.sql`select sealed_key from queued_call_states where call_id = ${callId}`;
  expect(vault.open(state?.sealed_key, queuedContext(callId))).toBe(value);
  const [audit] = await runtime.sql`select actor, details from audit_events where action = 'vault.rotate'
    and (details->>'resealed')::int > 0`;
  expect(audit).toMatchObject({ actor: expect.stringMatching(/^operator:/), details: { vault_key: 'k2' } });
  expect(status.all + done.all + JSON.stringify(audit)).not.toContain(value);
});

it('a rotation reports moved or changed values as broken and reseals the others', async () => {
  const { runtime } = harness;
  const [first, second] = [await harness.person(), await harness.person()];
  for (const { key } of [first, second])
    await harness.request('PUT', '/v1/account/requirements/openai', {
      key,
      json: { value: 'sk-test-secret-moved' },
    });
  const [stolen] = await runtime.sql`select sealed from credentials where account_id = ${first.accountId}`;
  const [broken] = await runtime.sql`update credentials set sealed = ${stolen?.sealed}
    where account_id = ${second.accountId} returning id`;
  expect(await admin(rotated, 'vault', 'rotate')).toMatchObject({
    code: 1,
    json: { ok: false, resealed: 1, broken: [broken?.id] },
  });
});

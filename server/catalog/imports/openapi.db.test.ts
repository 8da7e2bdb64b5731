import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { buildImportRequest, callSkill, importForTest } from '@/test/support/import-fixture';
import { type Petstore, startPetstore } from '@/test/support/petstore';
import { createProbe } from '@/test/support/probe-tool';
import { rotateVault } from '../../operations/vault/rotate-vault';
import { approveTool } from './approve-tool';
import { checkTool } from './check-tool';
import type { CredentialRequest, ImportPlan } from './plan-import';
import { planImport } from './plan-import';
import { removeTool } from './remove-tool';
import { saveToolSecret } from './save-tool-secret';

const PLATFORM = 'test-secret-platform-0001';
const OWN = 'test-secret-of-the-caller';
const slot: CredentialRequest = {
  slot: 'pets-key',
  carrier: null,
  scheme: null,
  displayName: 'Pets key',
  acquireUrl: 'https://pets.test/keys',
  setupGuide: null,
  value: null,
};
let harness: Harness;
let pets: Petstore;
let key: string;
let plan: ImportPlan;

beforeAll(async () => {
  [harness, pets] = await Promise.all([startHarness({ tools: [createProbe().tool] }), startPetstore()]);
  ({ key } = await harness.person(1_000_000n));
  plan = await importForTest(harness, {
    name: 'pets',
    source: { kind: 'openapi', url: `${pets.origin}/openapi.json`, server: null },
    price: { feeMicrousd: 1_000n, providerCostMicrousd: 9_000n },
    slot,
  });
});
afterAll(async () => {
  await harness?.close();
  await pets?.close();
});

const call = (skill: string, input: object = {}, headers = {}) =>
  callSkill(harness, key, `pets.${skill}`, input, headers);
const last = () => pets.requests.at(-1);

describe('an OpenAPI document as a priced tool', () => {
  it('has a skill for each usable operation, and gives the reason for the others', () => {
    expect(Object.values(plan.tool.presentation.names).sort()).toEqual([
      'add_pet',
      'get_pet',
      'list_pets',
      'photo',
      'portrait',
    ]);
    const reasons = Object.fromEntries(plan.leftOut.map(({ upstream, reason }) => [upstream, reason]));
    expect(reasons.byQuery).toContain('in a URL or a cookie are not supported');
    expect(reasons.fixed).toContain('not a fixed one');
    expect(reasons.upload).toContain('multipart/form-data');
    expect(reasons.far).toContain('http://evil.test/schema.json');
  });

  it('sends no credential where none is needed, and wraps values other than objects', async () => {
    const answer = await call('list_pets');
    expect(answer.body.output).toEqual({ data: [{ id: 1, name: 'Rex', tag: null }] });
    expect(answer.body.usage).toMatchObject({ cost: 0.01, markup: 0.001, raw_cost: 0.009 });
    expect(last()?.headers['x-api-key']).toBeUndefined();
  });

  it('stores binary content as an asset', async () => {
    const answer = await call('photo', { file: 'a b/../c.png' });
    expect(last()?.url).toBe('/api/v1/photos/a%20b%2F..%2Fc.png');
    expect(answer.body.output.file).toMatchObject({
      asset_id: expect.stringMatching(/^asset_/),
      size_bytes: 9,
    });
  });

  it('lets no value change the path of the URL', async () => {
    const refused = await call('photo', { file: '..' });
    expect(refused.body.error.message).toContain('input.file');
    expect(refused.body.error.billed).toBe(false);
  });

  it('requires the credential where the document does', async () => {
    const refused = await call('get_pet', { id: 1 });
    expect(refused.status).toBe(401);
    expect(refused.body.error).toMatchObject({ code: 'MISSING_CREDENTIALS' });
    expect(refused.body.error.missing).toEqual([
      {
        name: 'pets-key',
        displayName: 'Pets key',
        acquireUrl: 'https://pets.test/keys',
        header: 'X-Provider-Key-pets-key',
      },
    ]);
  });

  it('does not stop when an operation only takes more optional input, which waits for approval', async () => {
    const paths = pets.document.paths as Record<string, { get: { parameters: object[] } }>;
    paths['/pets/{id}']?.get.parameters.push({
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      schema: { type: 'object' },
    });
    expect(await checkTool(harness.runtime, 'pets')).toMatchObject({
      state: 'news',
      differences: [{ upstream: 'getPet', kind: 'extended', parts: ['input', 'request'] }],
    });
    await harness.runtime.imports.refresh();
    expect((await call('list_pets')).status).toBe(200);
    const refused = await call('get_pet', { id: 7, filter: { a: 1 } });
    expect(refused.body.error.message).toContain('input.filter');
  });

  it('stops when the document changes, until the change is approved', async () => {
    const info = pets.document.paths as Record<string, { get: { summary: string } }>;
    const path = info['/pets/{id}'];
    if (!path) throw new Error('No such path');
    path.get.summary = 'A pet';
    expect(await checkTool(harness.runtime, 'pets')).toMatchObject({
      state: 'changed',
      differences: [{ upstream: 'getPet', parts: expect.arrayContaining(['title']) }],
    });
    await harness.runtime.imports.refresh();
    expect((await call('list_pets')).status).toBe(503);
    await approveTool(harness.runtime, 'operator:test', 'pets', null);
    expect((await call('list_pets')).status).toBe(200);
  });

  it('says that its document names another server, which gets neither calls nor the credential @C13', async () => {
    const { servers } = pets.document;
    pets.document.servers = [{ url: 'https://moved.test/v2' }];
    const { state, problem } = await checkTool(harness.runtime, 'pets');
    pets.document.servers = servers;
    expect(state).toBe('same');
    expect(problem).toContain('names the server https://moved.test/v2, but calls go to http');
    await harness.runtime.imports.refresh();
    expect((await call('list_pets')).status).toBe(200);
    expect((await checkTool(harness.runtime, 'pets')).problem).toBeNull();
  });
});

describe('its credential as a requirement', () => {
  it('is listed, and is sent from the header of the caller to the pinned host at the BYOK rate', async () => {
    const { body } = await harness.request('GET', '/v1/requirements');
    const listed = body.requirements.find(({ name }: { name: string }) => name === 'pets-key');
    expect(listed).toMatchObject({
      displayName: 'Pets key',
      acquireUrl: 'https://pets.test/keys',
      registeredBy: ['pets'],
    });
    const answer = await call(
      'get_pet',
      { id: 7, fields: ['a', 'b'], filter: { tag: 'cat,dog' }, 'X-Trace': 't' },
      { 'x-provider-key-pets-key': OWN },
    );
    expect(answer.status).toBe(200);
    expect(last()).toMatchObject({ url: '/api/v1/pets/7?fields=a&fields=b&filter%5Btag%5D=cat%2Cdog' });
    expect(last()?.headers).toMatchObject({ 'x-api-key': OWN, 'x-trace': 't' });
    expect(answer.body.usage).toMatchObject({ cost: 0.0005, raw_cost: 0 });
    expect(answer.body.meta.byok).toBe(true);
    // The API repeated the key, which must be redacted.
    expect(answer.text).not.toContain(OWN);
  });

  it('is redacted in file names, too', async () => {
    const answer = await call('portrait', {}, { 'x-provider-key-pets-key': OWN });
    const id = answer.body.output.file.asset_id;
    const { body } = await harness.request('GET', `/v1/assets/${id}/meta`);
    expect(body.filename).toMatch(/\.png$/);
    expect(JSON.stringify(body)).not.toContain(OWN);
  });

  it('can be saved by an account, masked, and is used for its calls', async () => {
    const saved = await harness.request('PUT', '/v1/account/requirements/pets-key', {
      key,
      json: { value: OWN },
    });
    expect(saved.status).toBe(200);
    expect(saved.text).not.toContain(OWN);
    const answer = await call('add_pet', { name: 'Mia', tag: 'cat' });
    expect(answer.body.output).toEqual({ id: 2, name: 'Mia', tag: 'cat' });
    expect(pets.bodies.at(-1)).toEqual({ name: 'Mia', tag: 'cat' });
    expect(answer.body.usage.cost).toBe(0.0005);
    await harness.request('DELETE', '/v1/account/requirements/pets-key', { key });
  });

  it('is otherwise that of the platform, sealed in the database, at the full price', async () => {
    await saveToolSecret(harness.runtime, 'operator:test', {
      name: 'pets',
      slot: 'pets-key',
      value: PLATFORM,
    });
    const rows = await harness.runtime.sql`select sealed from imported_slots`;
    expect(JSON.stringify(rows)).not.toContain(PLATFORM);
    const answer = await call('get_pet', { id: 7 });
    expect(last()?.headers['x-api-key']).toBe(PLATFORM);
    expect(answer.body.usage).toMatchObject({ cost: 0.01, raw_cost: 0.009 });
    expect(answer.text).not.toContain(PLATFORM);
    expect(harness.log.join('')).not.toContain(PLATFORM);
  });

  it('is sealed again when the vault key changes', async () => {
    expect(await rotateVault(harness.runtime)).toMatchObject({ resealed: 0, broken: [] });
    await harness.runtime.sql`update imported_slots set vault_key_id = 'old'`;
    expect(await rotateVault(harness.runtime)).toMatchObject({ resealed: 1, broken: [] });
    await harness.runtime.sql`update imported_tools set revision = revision + 1`;
    await harness.runtime.imports.refresh();
    expect((await call('get_pet', { id: 7 })).status).toBe(200);
  });

  it('cannot have the name of another credential', async () => {
    const source = { kind: 'openapi' as const, url: `${pets.origin}/openapi.json`, server: null };
    for (const taken of ['openai', 'pets-key'])
      await expect(
        planImport(
          harness.runtime,
          buildImportRequest({ name: 'other', source, slot: { ...slot, slot: taken } }),
        ),
      ).rejects.toThrow('already');
  });
});

describe('an upstream failure', () => {
  it.each([
    [{ id: 404 }, 400, 'refused the request (404): No such <b>pet</b>'],
    [{ id: 500 }, 502, 'does not match its own schema'],
    [{ id: 0 }, 400, 'input.id'],
    [{ id: 1, unknown: true }, 400, 'input.unknown'],
  ])('for %j costs nothing and gives the reason', async (input, status, words) => {
    const balance = async () =>
      (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;
    const before = await balance();
    const answer = await call('get_pet', input);
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toContain(words);
    expect(answer.body.error.billed).toBe(false);
    expect(await balance()).toBe(before);
  });

  it('never sends saved keys to a later tool of the same name', async () => {
    await harness.request('PUT', '/v1/account/requirements/pets-key', { key, json: { value: OWN } });
    expect(await removeTool(harness.runtime, 'operator:test', 'pets')).toBe(1);
    const { body } = await harness.request('GET', '/v1/account/requirements', { key });
    expect(body.requirements.map(({ name }: { name: string }) => name)).not.toContain('pets-key');
    const rows = await harness.runtime.sql`select 1 from credentials where slot = 'pets-key'`;
    expect(rows).toHaveLength(0);
    expect((await call('list_pets')).status).toBe(404);
  });
});

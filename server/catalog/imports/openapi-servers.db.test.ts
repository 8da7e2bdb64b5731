import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { type Harness, startHarness } from '@/test/support/harness';
import { callSkill, importForTest } from '@/test/support/import-fixture';
import { createProbe } from '@/test/support/probe-tool';

const SECRET = 'test-secret-of-the-platform';
let harness: Harness;
let api: FakeSite;
let upload: FakeSite;
let key: string;

beforeAll(async () => {
  [harness, api, upload] = await Promise.all([
    startHarness({ tools: [createProbe().tool] }),
    startFakeSite((_request, response) => response.end('api')),
    startFakeSite((_request, response) => response.end('upload')),
  ]);
  ({ key } = await harness.person(1_000_000n));
});
afterAll(async () => {
  await harness?.close();
  await Promise.all([api?.close(), upload?.close()]);
});

describe('an operation with its own server', () => {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const getDocument = () => ({
    openapi: '3.1.0',
    info: { title: 'Box', version: '1' },
    servers: [{ url: `${api.origin}/v1` }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/files/{id}': { get: { operationId: 'getFile', parameters } },
      '/events/{id}': {
        get: { operationId: 'getEvent', parameters },
        servers: [{ url: `${api.origin}/v2` }],
      },
      '/content/{id}': { get: { operationId: 'upload', parameters, servers: [{ url: upload.origin }] } },
    },
  });
  const slot = {
    slot: 'box-key',
    carrier: null,
    scheme: null,
    displayName: null,
    acquireUrl: null,
    setupGuide: null,
    value: SECRET,
  };

  it('receives the request and the credential if it has the origin of the tool; another host never does @C13', async () => {
    const source = { kind: 'openapi' as const, text: JSON.stringify(getDocument()), server: null };
    const plan = await importForTest(harness, { name: 'box', source, slot });
    expect(plan.leftOut).toEqual([
      { upstream: 'upload', reason: expect.stringContaining(`Its own server is ${upload.origin}, but`) },
    ]);
    expect((await callSkill(harness, key, 'box.get_file', { id: '1' })).status).toBe(200);
    expect((await callSkill(harness, key, 'box.get_event', { id: '1' })).status).toBe(200);
    expect((await callSkill(harness, key, 'box.upload', { id: '1' })).body.error.code).toBe(
      'SKILL_NOT_FOUND',
    );
    expect(api.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/v1/files/1', `Bearer ${SECRET}`],
      ['/v2/events/1', `Bearer ${SECRET}`],
    ]);
    expect(upload.requests).toHaveLength(0);
  });

  it('lets no value lead out of its path', async () => {
    const answer = await callSkill(harness, key, 'box.get_event', { id: '..' });
    expect(answer.body.error).toMatchObject({ code: 'INVALID_INPUT', billed: false });
  });

  it('is imported as another tool with its server', async () => {
    const text = JSON.stringify(getDocument());
    const source = { kind: 'openapi' as const, text, server: upload.origin };
    const request = {
      name: 'box-upload',
      source,
      slot: { ...slot, slot: 'box-upload-key' },
      include: ['upload'],
    };
    const { leftOut } = await importForTest(harness, request);
    expect(leftOut).toEqual([]);
    expect((await callSkill(harness, key, 'box-upload.upload', { id: '1' })).body.output.text).toBe('upload');
    expect(upload.requests.map(({ url }) => url)).toEqual(['/content/1']);
  });

  it('is not requested for half of a character, which is refused by the name of the field', async () => {
    const requests = api.requests.length;
    const answer = await callSkill(harness, key, 'box.get_file', { id: 'a\ud800' });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('input.id'),
      billed: false,
    });
    expect(api.requests).toHaveLength(requests);
  });
});

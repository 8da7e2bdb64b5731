import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Harness, startHarness } from '@/test/support/harness';
import { previewClaimForViewer } from '../../lifecycle/preview-claim';
import { generateKey } from '../keys/key-format';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { PROVISION_PER_HOUR: '1000', PROVISION_PER_DAY: '1000' } });
});
afterAll(() => harness.close());

const lookups = () => harness.runtime.flush.counts().resolve.items;
const balance = (key: string, ip: string) => harness.request('GET', '/v1/billing/balance', { key, ip });
const wrongKey = () => generateKey().secret;

function expectLimited(answer: Answer, limit: string): void {
  expect(answer).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED', limit } } });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(answer.headers['ratelimit-policy']).toMatch(new RegExp(`^"${limit}";q=\\d+;w=60$`));
  expect(answer.headers.ratelimit).toMatch(new RegExp(`^"${limit}";r=0;t=\\d+$`));
}

describe('guessed keys', () => {
  it('are refused without a look-up after a hundred from one network; other networks are unaffected @B8', async () => {
    const person = await harness.person();
    const ip = '198.51.100.7';
    expect((await balance(person.key, ip)).status).toBe(200);
    for (let n = 0; n < 100; n++) expect((await balance(wrongKey(), ip)).status).toBe(401);
    const before = lookups();
    for (const path of ['/v1/billing/balance', '/v1/keys', '/v1/usage'])
      expectLimited(await harness.request('GET', path, { key: wrongKey(), ip }), 'wrong-keys');
    const call = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
    expectLimited(
      await harness.request('POST', '/v1/tools/call', { key: wrongKey(), ip, json: call }),
      'wrong-keys',
    );
    const overMcp = await harness.request('POST', '/mcp', {
      key: wrongKey(),
      ip,
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(overMcp.status).toBe(429);
    expect(lookups()).toBe(before);
    // Clients on the same address with a cached key are unaffected.
    expect((await balance(person.key, ip)).status).toBe(200);
    expect(
      (await harness.request('POST', '/v1/tools/call', { key: person.key, ip, json: call })).status,
    ).toBe(200);
    expect((await balance(wrongKey(), '198.51.100.8')).status).toBe(401);
  });

  it('include malformed keys; a repeated key counts once', async () => {
    const ip = '198.51.100.20';
    const same = wrongKey();
    for (let n = 0; n < 150; n++) expect((await balance(same, ip)).status).toBe(401);
    for (let n = 0; n < 99; n++) expect((await balance(`tg_live_guess${n}`, ip)).status).toBe(401);
    expectLimited(await balance('tg_live_another', ip), 'wrong-keys');
  });

  it('include a revoked key, even if it was valid before', async () => {
    const ip = '198.51.100.30';
    const person = await harness.person();
    const { key, keyId } = await harness.addKey(person.accountId);
    expect((await balance(key, ip)).status).toBe(200);
    await harness.request('DELETE', `/v1/keys/${keyId}`, { key: person.key });
    for (let n = 0; n < 99; n++) await balance(wrongKey(), ip);
    expect((await balance(key, ip)).status).toBe(401);
    expectLimited(await balance(key, ip), 'wrong-keys');
  });
});

describe('guessed claim tokens', () => {
  it('are refused after twenty from one network, also for the preview @B8', async () => {
    const person = await harness.person();
    const ip = '198.51.100.40';
    const { body } = await harness.request('POST', '/v1/auth/provision');
    const right = new URL(body.claim_url).searchParams.get('token') as string;
    const claim = (token: string, from = ip) =>
      harness.request('POST', '/v1/auth/claim', { key: person.key, json: { token }, ip: from });
    for (let n = 0; n < 20; n++) expect((await claim(`clm_guess_${n}`)).status).toBe(404);
    expectLimited(await claim('clm_guess_again'), 'wrong-claims');
    expectLimited(await claim(right), 'wrong-claims');
    const preview = previewClaimForViewer(
      {
        runtime: harness.runtime,
        requestId: 'req_look',
        clientIp: ip,
        credentials: { kind: 'none' },
        providerKeys: new Map(),
        userAgent: null,
        signal: () => new AbortController().signal,
        reply: { headers: {} },
        transport: 'trpc',
      },
      right,
    );
    await expect(preview).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect((await claim(right, '198.51.100.41')).status).toBe(200);
  });
});

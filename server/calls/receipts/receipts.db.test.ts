import { createHash } from 'node:crypto';
import { compactVerify, createLocalJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp } from '@/test/support/mcp-client';
import { readEvents } from '@/test/support/read-events';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { canonicalJson } from '../../kit/canonical-json';
import { parseJson } from '../../kit/parse-json';
import { getReceipt } from './get-receipt';
import type { ReceiptClaims } from './schema';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ listen: true, env: UNLIMITED_RATES });
});
afterAll(() => harness.close());

const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
const FAIL = { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } };
const PREFER = { prefer: 'receipt' };

const call = (key: string, json: object, headers: Record<string, string> = PREFER) =>
  harness.request('POST', '/v1/tools/call', { key, json, headers });
const fetchReceipt = (key: string, id: string) => harness.request('GET', `/v1/usage/${id}/receipt`, { key });
const hash = (output: object) => createHash('sha256').update(canonicalJson(output)).digest('hex');

async function verify(receipt: string): Promise<ReceiptClaims> {
  const { body } = await harness.request('GET', '/.well-known/jwks.json');
  const { payload, protectedHeader } = await compactVerify(receipt, createLocalJWKSet(body));
  expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'gateway-receipt+jwt' });
  return parseJson(new TextDecoder().decode(payload)) as ReceiptClaims;
}

/** Claims that do not depend on when the receipt was signed. */
const withoutTime = ({ iat: _, ...claims }: ReceiptClaims) => claims;

describe('a call with Prefer: receipt', () => {
  it('has a receipt in the header and in the result, which proves call, key, tool, cost, time and output', async () => {
    const { key, keyId, accountId } = await harness.person(1_000_000n);
    const { status, headers, body } = await call(key, SPEND, { prefer: 'receipt, wait=10' });
    expect([status, headers['preference-applied']]).toEqual([200, 'wait=10, receipt']);
    expect(headers['gateway-receipt']).toBe(body.receipt);
    const [record] = await harness.runtime.sql`select created_at from usage_records where id = ${body.id}`;
    expect(await verify(body.receipt)).toEqual({
      iss: harness.baseUrl,
      iat: expect.any(Number),
      jti: body.id,
      account: accountId,
      key: keyId,
      tool: 'diagnostics',
      skill: 'spend',
      cost_usd: '0.250000',
      cost_microusd: 250_000,
      currency: 'USD',
      byok: false,
      called_at: new Date(record?.created_at).toISOString(),
      finished_at: expect.any(String),
      output_sha256: hash(body.output),
    });
  });

  it('a plain call, a failed call, a dry run and a call that became a job have none', async () => {
    const { key } = await harness.person(1_000_000n);
    const plain = await call(key, SPEND, {});
    const dry = await call(key, { ...SPEND, dry_run: true });
    const failed = await call(key, FAIL);
    const pending = await call(key, SPEND, { prefer: 'receipt, wait=0' });
    expect([plain.status, dry.status, failed.status, pending.status]).toEqual([200, 200, 502, 202]);
    for (const { headers, body } of [plain, dry, failed, pending]) {
      expect(headers).not.toHaveProperty('gateway-receipt');
      expect(headers['preference-applied'] ?? '').not.toContain('receipt');
      expect(body).not.toHaveProperty('receipt');
    }
  });

  it('a free call has one about zero dollars', async () => {
    const { key } = await harness.person();
    const { body } = await call(key, { tool: 'math', skill: 'evaluate', input: { expression: '6 * 7' } });
    expect(await verify(body.receipt)).toMatchObject({ cost_usd: '0.000000', cost_microusd: 0 });
  });

  it('a replayed response has the same claims', async () => {
    const { key } = await harness.person(1_000_000n);
    const headers = { ...PREFER, 'idempotency-key': 'once' };
    const first = await call(key, SPEND, { 'idempotency-key': 'once' });
    const [one, two] = [await call(key, SPEND, headers), await call(key, SPEND, headers)];
    expect([one.headers['idempotent-replayed'], one.body.id]).toEqual(['true', first.body.id]);
    const claims = withoutTime(await verify(one.body.receipt));
    expect(claims).toMatchObject({ jti: first.body.id, output_sha256: hash(first.body.output) });
    expect(withoutTime(await verify(two.body.receipt))).toEqual(claims);
  });

  it('a stream has one in its result event', async () => {
    const { key } = await harness.person(1_000_000n);
    const { text } = await call(key, SPEND, { ...PREFER, accept: 'text/event-stream' });
    const last = readEvents(text).at(-1);
    expect(last?.event).toBe('result');
    expect(await verify(last?.data.receipt)).toMatchObject({
      jti: last?.data.id,
      cost_usd: '0.250000',
      output_sha256: hash(last?.data.output),
    });
  });

  it('each successful element of a batch has its own', async () => {
    const { key } = await harness.person(1_000_000n);
    const json = { calls: [SPEND, FAIL, { ...SPEND, input: { amount_usd: 0.5 } }] };
    const batch = await harness.request('POST', '/v1/tools/batch', { key, json, headers: PREFER });
    const [first, failed, second] = batch.body.results;
    expect(batch.headers).toMatchObject({ 'preference-applied': 'receipt' });
    expect(failed).not.toHaveProperty('receipt');
    expect(await verify(first.receipt)).toMatchObject({ jti: first.id, cost_usd: '0.250000' });
    expect(await verify(second.receipt)).toMatchObject({ jti: second.id, cost_usd: '0.500000' });
  });

  it('a job has one once it is completed, also by the usage route, with the hash of its output', async () => {
    const { key } = await harness.person(1_000_000n);
    const { body } = await call(key, SPEND, { prefer: 'wait=0' });
    const job = await harness.request('GET', `/v1/jobs/${body.job_id}`, { key, headers: PREFER });
    expect(job.body.status).toBe('completed');
    expect(job.headers['gateway-receipt']).toBe(job.body.result.receipt);
    const claims = await verify(job.body.result.receipt);
    expect(claims).toMatchObject({ jti: body.id, output_sha256: hash(job.body.output) });
    const later = await fetchReceipt(key, body.id);
    expect(withoutTime(await verify(later.body.receipt))).toEqual(withoutTime(claims));
  });

  it('is still answered if the receipt cannot be signed', async () => {
    const { key } = await harness.person(1_000_000n);
    const { receiptSigner } = harness.runtime;
    const sign = receiptSigner.sign.bind(receiptSigner);
    receiptSigner.sign = () => Promise.reject(new Error('No key'));
    try {
      const { status, headers, body } = await call(key, SPEND);
      expect([status, body.usage.cost, body.receipt]).toEqual([200, 0.25, undefined]);
      expect(headers).not.toHaveProperty('gateway-receipt');
    } finally {
      receiptSigner.sign = sign;
    }
    expect(harness.log.join('\n')).toContain('receipt.failed');
  });
});

describe('the receipt of a past call', () => {
  it('has the claims of its record, without a hash of the output, which is not stored', async () => {
    const { key } = await harness.person(1_000_000n);
    const { body } = await call(key, SPEND);
    const { status, body: past } = await fetchReceipt(key, body.id);
    expect(status).toBe(200);
    const claims = await verify(past.receipt);
    expect(past.claims).toEqual(claims);
    expect(withoutTime(claims)).toEqual({
      ...withoutTime(await verify(body.receipt)),
      output_sha256: null,
    });
  });

  it('exists only for calls that succeeded', async () => {
    const { key } = await harness.person(1_000_000n);
    const failed = await call(key, FAIL);
    expect(failed.status).toBe(502);
    const history = await harness.request('GET', '/v1/usage/history', { key });
    for (const id of [history.body.records[0].id, 'call_unknown', 'x', failed.body.error.request_id])
      expect(await fetchReceipt(key, id)).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND' } },
      });
  });

  it('is for the account that paid and the key that called: not for other accounts, nor other restricted keys @F21', async () => {
    const person = await harness.person(1_000_000n);
    const other = await harness.person();
    const restricted = await harness.addKey(person.accountId, 500_000n);
    const [own, siblings] = [await call(restricted.key, SPEND), await call(person.key, SPEND)];
    const statuses = async (key: string) =>
      await Promise.all([own, siblings].map(async ({ body }) => (await fetchReceipt(key, body.id)).status));
    expect(await statuses(person.key)).toEqual([200, 200]);
    expect(await statuses(restricted.key)).toEqual([200, 404]);
    expect(await statuses(other.key)).toEqual([404, 404]);
    const session = createSessionActor(person);
    expect((await getReceipt(harness.runtime, session, own.body.id)).claims.key).toBe(restricted.keyId);
  });

  it('charged to a team names the team; the calling key and the members of the team get it', async () => {
    const person = await harness.person();
    const teamId = await harness.team(person.userId, 'receipt-team', 1_000_000n);
    const { body } = await call(person.key, { ...SPEND, billing: 'receipt-team' });
    expect(await verify(body.receipt)).toMatchObject({ account: teamId, key: person.keyId });
    expect((await fetchReceipt(person.key, body.id)).status).toBe(200);
    expect((await getReceipt(harness.runtime, createSessionActor(person), body.id)).claims.account).toBe(
      teamId,
    );
  });
});

describe('over MCP', () => {
  it('call_tool and get_job add receipts on request, get_receipt signs past calls', async () => {
    const { key } = await harness.person(1_000_000n);
    const client = await connectMcp(harness.baseUrl, '2026-07-28', key);
    try {
      const called = (await client.callTool('call_tool', { ...SPEND, receipt: true })).structuredContent;
      expect(await verify(called.receipt)).toMatchObject({
        jti: called.id,
        output_sha256: hash(called.output),
      });
      const plain = (await client.callTool('call_tool', SPEND)).structuredContent;
      expect(plain).not.toHaveProperty('receipt');
      const past = (await client.callTool('get_receipt', { call_id: plain.id })).structuredContent;
      expect(await verify(past.receipt)).toEqual(past.claims);
      const { job_id } = (await client.callTool('call_tool', { ...SPEND, wait_seconds: 0 }))
        .structuredContent;
      const job = (await client.callTool('get_job', { job_id, receipt: true })).structuredContent;
      expect(await verify(job.result.receipt)).toMatchObject({ jti: job.result.id });
    } finally {
      await client.close();
    }
  });
});

describe('the published keys', () => {
  it('are a public JWK Set without private parts, for any origin, cached briefly', async () => {
    const { status, headers, body } = await harness.request('GET', '/.well-known/jwks.json');
    expect([status, headers['cache-control'], headers['access-control-allow-origin']]).toEqual([
      200,
      expect.stringContaining('public, max-age=60'),
      '*',
    ]);
    for (const jwk of body.keys)
      expect(jwk).toEqual({
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        x: expect.any(String),
        kid: expect.any(String),
      });
  });

  it('a preflight allows Prefer, and scripts of other origins can read the receipt', async () => {
    const { headers } = await harness.request('OPTIONS', '/v1/tools/call');
    expect(headers['access-control-allow-headers']).toContain('Prefer');
    expect(headers['access-control-expose-headers']).toContain('Gateway-Receipt');
  });
});

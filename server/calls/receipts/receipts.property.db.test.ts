import fc from 'fast-check';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newSecret, type ProviderFixture, startProviderFixture } from '@/test/support/provider-fixture';
import { readEvents } from '@/test/support/read-events';
import { parseJson } from '../../kit/parse-json';
import { listReceiptKeys } from './get-receipt';
import type { ReceiptClaims } from './schema';

let fixture: ProviderFixture;
let harness: ProviderFixture['harness'];
let person: Awaited<ReturnType<typeof harness.person>>;
beforeAll(async () => {
  fixture = await startProviderFixture();
  ({ harness } = fixture);
  person = await harness.person(10_000_000n);
});
afterAll(() => fixture.close());

type Way = 'single' | 'batch' | 'job' | 'stream';
interface Step {
  way: Way;
  units: number;
  /** Units that are charged; 0 is a free call. */
  used: number;
  byok: boolean;
  fails: boolean;
}

const step = fc.record<Step>({
  way: fc.constantFrom<Way>('single', 'batch', 'job', 'stream'),
  units: fc.constant(20),
  used: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 })),
  byok: fc.boolean(),
  fails: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});

/** Makes the call; returns its result as the client sees it, if it succeeded. */
async function run({ way, units, used, byok, fails }: Step): Promise<{ id: string; receipt: string } | null> {
  const { key } = person;
  const input = { units, used, mode: fails ? 'leak' : 'ask' };
  const call = { tool: 'provider-probe', skill: 'ask', input };
  const headers: Record<string, string> = {
    prefer: 'receipt',
    ...(byok ? { 'x-provider-key-openai': newSecret() } : {}),
  };
  if (way === 'batch') {
    const json = { calls: [call] };
    const { body } = await harness.request('POST', '/v1/tools/batch', { key, json, headers });
    return body.results[0].status === 'success' ? body.results[0] : null;
  }
  if (way === 'job') {
    headers.prefer = 'wait=0';
    const { body } = await harness.request('POST', '/v1/tools/call', { key, json: call, headers });
    const options = { key, headers: { prefer: 'receipt' } };
    return (await harness.request('GET', `/v1/jobs/${body.job_id}`, options)).body.result ?? null;
  }
  if (way === 'stream') headers.accept = 'text/event-stream';
  const { status, body, text } = await harness.request('POST', '/v1/tools/call', {
    key,
    json: call,
    headers,
  });
  if (way === 'single') return status === 200 ? body : null;
  const last = readEvents(text).at(-1);
  return last?.event === 'result' ? last.data : null;
}

it('the claims of a receipt equal the usage record and the ledger entry, for every way to call @F21', async () => {
  const { sql } = harness.runtime;
  const keys: JSONWebKeySet = await listReceiptKeys(harness.runtime);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (planned) => {
      for (const one of planned) {
        const result = await run(one);
        expect(result === null).toBe(one.fails);
        if (!result) continue;
        const { payload } = await compactVerify(result.receipt, createLocalJWKSet(keys));
        const claims = parseJson(new TextDecoder().decode(payload)) as ReceiptClaims;
        const [record] = await sql`
          select u.account_id, u.key_id, u.tool, u.skill, u.byok, u.raw_cost_microusd + u.markup_microusd as cost,
            coalesce(-l.amount_microusd, 0) as paid
          from usage_records u left join ledger_entries l on l.kind = 'call' and l.ref = u.id where u.id = ${result.id}`;
        expect(record?.paid).toBe(record?.cost);
        expect([
          claims.account,
          claims.key,
          claims.tool,
          claims.skill,
          claims.byok,
          BigInt(claims.cost_microusd),
          BigInt(Math.round(Number(claims.cost_usd) * 1e6)),
        ]).toEqual([
          record?.account_id,
          record?.key_id,
          record?.tool,
          record?.skill,
          record?.byok,
          record?.cost,
          record?.cost,
        ]);
      }
    }),
    { numRuns: 6 },
  );
}, 120_000);

it('a receipt does not verify after any byte of it is changed @F21', async () => {
  const keys: JSONWebKeySet = await listReceiptKeys(harness.runtime);
  const result = await run({ way: 'single', units: 1, used: 1, byok: false, fails: false });
  const receipt = result?.receipt ?? '';
  const verify = async (text: string) =>
    await compactVerify(text, createLocalJWKSet(keys), { algorithms: ['EdDSA'] }).then(
      () => true,
      () => false,
    );
  expect(await verify(receipt)).toBe(true);
  const signed = receipt.split('.').map((part) => Buffer.from(part, 'base64url'));
  for (const [part, bytes] of signed.entries())
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      const parts = signed.map((own, index) => (index === part ? changed : own).toString('base64url'));
      expect([part, at, await verify(parts.join('.'))]).toEqual([part, at, false]);
    }
});

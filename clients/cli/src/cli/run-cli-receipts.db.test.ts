import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Harness } from '@/test/support/harness';
import { createClient, hashOutput, InvalidReceipt, verifyReceipt } from '../client.js';
import type { CliSandbox } from '../testing/cli-sandbox.js';
import { useCli } from '../testing/use-cli.js';
import { EXIT } from './exit-codes.js';

let gateway: Harness;
let sandbox: CliSandbox;
let withKey: Record<string, string>;
useCli((fixture) => {
  ({ gateway, sandbox, withKey } = fixture);
});

const SPEND = ['call', 'diagnostics', 'spend', '--amount_usd', '0.000002'];
const run = (args: readonly string[]) => sandbox.run(args, { env: withKey });
const path = (name: string) => join(sandbox.home, name);

describe('receipts', () => {
  it('of a call are saved, and verify with its output; after one byte is changed they do not', async () => {
    const [file, result] = [path('receipt.jws'), path('result.json')];
    const called = await run([...SPEND, '--receipt', file, '--output', result]);
    expect(called.code).toBe(EXIT.ok);
    const verified = await run(['receipt', 'verify', file, '--output', result]);
    expect([verified.code, verified.json]).toMatchObject([
      EXIT.ok,
      { valid: true, output_verified: true, claims: { cost_usd: '0.000002', iss: gateway.baseUrl } },
    ]);
    const receipt = (await readFile(file, 'utf8')).trim();
    const at = Math.floor(receipt.length / 2);
    const changed = receipt.slice(0, at) + (receipt[at] === 'A' ? 'B' : 'A') + receipt.slice(at + 1);
    await writeFile(file, changed);
    const refused = await run(['receipt', 'verify', file]);
    expect([refused.code, refused.error.error.code]).toEqual([EXIT.usage, 'RECEIPT_INVALID']);
  });

  it('do not verify with another output, nor with the keys of another gateway @F21', async () => {
    const [file, other, keys] = [path('receipt.jws'), path('other.json'), path('jwks.json')];
    await run([...SPEND, '--receipt', file]);
    await writeFile(other, '{"charged_usd":1}');
    const otherOutput = await run(['receipt', 'verify', file, '--output', other]);
    expect([otherOutput.code, otherOutput.error.error.message]).toEqual([
      EXIT.usage,
      'The output is not the one of the receipt.',
    ]);
    const { body } = await gateway.request('GET', '/.well-known/jwks.json');
    await writeFile(keys, JSON.stringify(body));
    expect((await run(['receipt', 'verify', file, '--jwks', keys])).code).toBe(EXIT.ok);
    expect(
      (await run(['receipt', 'verify', file, '--jwks', `${gateway.baseUrl}/.well-known/jwks.json`])).code,
    ).toBe(EXIT.ok);
    const x = Buffer.alloc(32, 7).toString('base64url');
    await writeFile(keys, JSON.stringify({ keys: [{ ...body.keys[0], x }] }));
    expect((await run(['receipt', 'verify', file, '--jwks', keys])).code).toBe(EXIT.usage);
    await writeFile(keys, '[]');
    expect((await run(['receipt', 'verify', file, '--jwks', keys])).error.error.code).toBe('USAGE');
  });

  it('of a past call and of a job can be fetched', async () => {
    const file = path('past.jws');
    const called = await run(SPEND);
    const got = await run(['receipt', 'get', called.json.id, '--output', file]);
    expect(got.json.claims).toMatchObject({ jti: called.json.id, output_sha256: null });
    expect((await run(['receipt', 'verify', file])).code).toBe(EXIT.ok);
    expect((await run(['receipt', 'get', called.json.id, '--output', file])).code).toBe(EXIT.usage);
    expect((await run(['receipt', 'get', 'call_unknown'])).code).toBe(EXIT.notFound);
  });

  it('come with the results of the typed client, also of a call that became a job', async () => {
    const client = createClient({ baseUrl: gateway.baseUrl, apiKey: withKey.TOOL_GATEWAY_KEY ?? '' });
    const { body: keys } = await gateway.request('GET', '/.well-known/jwks.json');
    const call = { tool: 'diagnostics', skill: 'background', input: { seconds: 0, steps: 1 } };
    const job = await client.callTool({ ...call }, { receipt: true });
    const claims = await verifyReceipt(job.receipt ?? '', {
      keys,
      output: job.output,
      issuer: gateway.baseUrl,
    });
    expect(claims.output_sha256).toBe(hashOutput(job.output));
    await expect(verifyReceipt(job.receipt ?? '', { keys, issuer: 'https://other.test' })).rejects.toThrow(
      InvalidReceipt,
    );
    for await (const event of client.streamTool(call, { receipt: true }))
      if (event.event === 'result') await verifyReceipt(event.data.receipt ?? '', { keys });
  });
});

describe('reads', () => {
  it('me shows key, account and limits', async () => {
    const { json, code } = await run(['me']);
    expect([code, json]).toMatchObject([EXIT.ok, { plan: 'prepaid', limits: { concurrent: { limit: 5 } } }]);
    expect((await sandbox.run(['me'], { env: withKey, tty: true })).stdout).toContain('calls per minute');
  });

  it('jobs list shows jobs by page', async () => {
    const started = await run([...SPEND, '--no-wait']);
    const { job_id } = started.json;
    await run(['jobs', 'wait', job_id]);
    const { json } = await run(['jobs', 'list', '--limit', '1', '--status', 'completed']);
    expect(json.jobs).toMatchObject([{ job_id, status: 'completed' }]);
    expect((await run(['jobs', 'list', '--status', 'ended'])).code).toBe(EXIT.usage);
  });

  it('assets list and delete manage files', async () => {
    await writeFile(path('list-me.txt'), 'hello');
    const uploaded = await run(['upload', path('list-me.txt')]);
    const { json } = await run(['assets', 'list', '--q', 'list-me', '--kind', 'text']);
    expect(json.assets).toMatchObject([{ asset_id: uploaded.json.asset_id, filename: 'list-me.txt' }]);
    expect((await run(['assets', 'delete', uploaded.json.asset_id])).json.success).toBe(true);
    expect((await run(['assets', 'delete', uploaded.json.asset_id])).code).toBe(EXIT.notFound);
  });
});

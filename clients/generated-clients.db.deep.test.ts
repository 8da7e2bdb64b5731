import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** A program that uses openapi-typescript and openapi-fetch. */
const WITH_OPENAPI_FETCH = `import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.ts';

const client = createClient<paths>({
  baseUrl: process.env.BASE_URL ?? '',
  headers: { Authorization: \`Bearer \${process.env.API_KEY}\` },
});
const found = await client.GET('/v1/tools/search', { params: { query: { q: 'send an email', limit: 2 } } });
const called = await client.POST('/v1/tools/call', {
  body: { tool: 'math', skill: 'evaluate', input: { expression: '6 * 7' } },
  params: { header: { 'Idempotency-Key': 'openapi-fetch' } },
});
// Without a cast: a dry run has a status of its own, and only a stream is text.
if (typeof called.data !== 'object' || called.data.status === 'dry_run') throw new Error('no result');
const result = called.data;
const started = await client.POST('/v1/tools/call', {
  body: { tool: 'diagnostics', skill: 'background', input: { seconds: 0.1 } },
  params: { header: { Prefer: 'wait=0' } },
});
const { job_id = '' } = started.data as components['schemas']['ToolCallResult'];
const job = await client.GET('/v1/jobs/{jobId}', { params: { path: { jobId: job_id } } });
const form = new FormData();
form.set('file', new Blob(['hello']), 'hello.txt');
const uploaded = await client.POST('/v1/assets/upload', { body: { file: '' }, bodySerializer: () => form });
const bytes = await client.GET('/v1/assets/{assetId}', {
  params: { path: { assetId: uploaded.data?.asset_id ?? '' } },
  parseAs: 'text',
});
const failed = await client.POST('/v1/tools/call', { body: { tool: 'nothing', skill: 'x', input: {} } });
const code: components['schemas']['Error']['error']['code'] | undefined = failed.error?.error.code;
console.log(JSON.stringify({
  found: found.data?.tools.length,
  output: result.output?.result,
  pending: started.response.status,
  job: job.data?.status,
  bytes: bytes.data,
  code,
}));
`;

/** The same program with the client of hey-api. */
const WITH_HEY_API = `import { client } from './hey/client.gen';
import { callTool, downloadAsset, getJob, searchTools, uploadAsset } from './hey';
import type { ToolCallResult } from './hey';

client.setConfig({ baseUrl: process.env.BASE_URL ?? '', auth: () => process.env.API_KEY ?? '' });
const found = await searchTools({ query: { q: 'send an email', limit: 2 } });
const called = await callTool({
  body: { tool: 'math', skill: 'evaluate', input: { expression: '6 * 7' } },
  headers: { 'Idempotency-Key': 'hey-api' },
});
if (typeof called.data !== 'object' || called.data.status === 'dry_run') throw new Error('no result');
const result = called.data;
const started = await callTool({
  body: { tool: 'diagnostics', skill: 'background', input: { seconds: 0.1 } },
  headers: { Prefer: 'wait=0' },
});
const { job_id = '' } = started.data as ToolCallResult;
const job = await getJob({ path: { jobId: job_id } });
const uploaded = await uploadAsset({ body: { file: new Blob(['hello']), filename: 'hello.txt' } });
const bytes = await downloadAsset({ path: { assetId: uploaded.data?.asset_id ?? '' }, parseAs: 'text' });
const failed = await callTool({ body: { tool: 'nothing', skill: 'x', input: {} } });
console.log(JSON.stringify({
  found: found.data?.tools.length,
  output: result.output?.result,
  pending: started.response?.status,
  job: job.data?.status,
  bytes: bytes.data,
  code: failed.error && 'error' in failed.error ? failed.error.error.code : undefined,
}));
`;

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    types: ['node'],
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ['.'],
};

let gateway: Harness;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  gateway = await startHarness({ role: 'web', listen: true });
  await mkdir(join(root, 'test-results'), { recursive: true });
  folder = await mkdtemp(join(root, 'test-results', 'generated-'));
  const document = join(folder, 'openapi.json');
  const served = await fetch(`${gateway.baseUrl}/openapi.json`);
  await writeFile(document, await served.text());
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await writeFile(join(folder, 'with-openapi-fetch.ts'), WITH_OPENAPI_FETCH);
  await writeFile(join(folder, 'with-hey-api.ts'), WITH_HEY_API);
  await run(process.execPath, [join(root, 'clients/testing/generate-clients.mjs'), document, folder]);
  const { key } = await gateway.person(1_000_000n);
  env = { ...process.env, BASE_URL: gateway.baseUrl, API_KEY: key };
});
afterAll(() => Promise.all([gateway.close(), rm(folder, { recursive: true, force: true })]));

describe('clients generated from the served OpenAPI document', () => {
  it('compile in strict mode', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const outcome = await run(process.execPath, [tsc, '-p', folder, '--checkers', '1']).catch(
      (error: { stdout: string }) => error,
    );
    expect(outcome.stdout).toBe('');
  });

  it.each(['with-openapi-fetch.ts', 'with-hey-api.ts'])(
    '%s finds and calls tools, polls, uploads and reads errors',
    async (program) => {
      const { stdout } = await run(process.execPath, ['--import', 'tsx', join(folder, program)], {
        env,
        cwd: root,
      });
      expect(JSON.parse(stdout)).toEqual({
        found: 2,
        output: '42',
        pending: 202,
        job: 'completed',
        bytes: 'hello',
        code: 'TOOL_NOT_FOUND',
      });
    },
  );
});

import { createHash } from 'node:crypto';
import {
  access,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { BreakableStore } from '@/test/support/breakable-store';
import { type Harness, startHarness } from '@/test/support/harness';
import { createTestServer } from '@/test/support/test-server';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { sweepScratch } from '../../assets/scratch';
import { assetOutput, fileInput } from '../../tools/sdk/file-schemas';

const MAX_BYTES = 60_000;
let lastFolder = '';

const copy = defineTestSkill({
  name: 'copy',
  input: z.object({
    file: fileInput('The file.').describe('The file.'),
    times: z.int().default(1).describe('How often.'),
    after: z.enum(['end', 'fail', 'hang']).default('end').describe('What follows.'),
  }),
  output: z.object({
    files: z.array(assetOutput).describe('Copies.'),
    opened: z.unknown().describe('What was opened.'),
  }),
  annotations: { readOnly: false, estimatedSeconds: 1 },
  async run({ input, files, signal }) {
    const { path, ...opened } = await files.open(input.file, { maxBytes: MAX_BYTES });
    lastFolder = dirname(path);
    const saved = [];
    for (let i = 0; i < input.times; i++) {
      const as = { filename: `../copy ${i}.png`, contentType: 'image/png' };
      const copied = await files.scratch('png');
      await writeFile(copied, await readFile(path));
      saved.push(await files.save(i % 2 ? { path: copied } : { bytes: await readFile(path) }, as));
    }
    if (input.after === 'fail') throw new Error('after all');
    if (input.after === 'hang')
      await new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
    return { output: { files: saved, opened: { ...opened, sha256: sha256(await readFile(path)) } } };
  },
});
const tool = defineTestTool('copier', [copy]);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const store = new BreakableStore();
let harness: Harness;
let web: Server;
let site = '';
beforeAll(async () => {
  harness = await startHarness({
    tools: [tool],
    // The outbound guard refuses loopback, where the test site runs.
    ports: { blob: store, outbound: globalThis.fetch },
    env: { ASSET_QUOTA_MIB: '2', PUBLIC_ASSETS_PER_MINUTE: '100000', HANDLER_TIMEOUT_SECONDS: '120' },
  });
  const logo = await readFile('server/assets/samples/logo.png');
  web = createTestServer((req, res) => {
    if (req.url === '/logo.jpg') res.writeHead(200, { 'content-type': 'text/html' }).end(logo);
    else if (req.url === '/named')
      res
        .writeHead(200, { 'content-disposition': `attachment; filename*=UTF-8''..%2Fna%C3%AFf.png` })
        .end(logo);
    else if (req.url === '/large')
      res.writeHead(200, { 'content-length': '900000' }).end(Buffer.alloc(900_000));
    else if (req.url === '/endless') {
      res.writeHead(200);
      const feed = () => !res.destroyed && res.write(Buffer.alloc(16_384)) && setImmediate(feed);
      res.on('drain', feed);
      feed();
    } else if (req.url === '/cut') {
      res.writeHead(200, { 'content-length': '50000' });
      res.write(Buffer.alloc(1000), () => res.destroy());
    } else res.writeHead(404).end();
  });
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await harness.close();
});

const call = async (key: string, input: object) =>
  await harness.request('POST', '/v1/tools/call', { key, json: { tool: 'copier', skill: 'copy', input } });
const listRows = async (accountId: string) =>
  await harness.runtime.db.execute<{ id: string; tool: string; skill: string; call_id: string }>(
    sql`select * from assets where account_id = ${accountId} and deleted_at is null`,
  );
const folderGone = () =>
  vi.waitFor(async () => await expect(access(lastFolder)).rejects.toThrow(), { timeout: 15_000 });
/** Files below a folder, also removed ones, that this process has open. */
async function listOpenFiles(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const numbers = await readdir('/proc/self/fd');
  const paths = await Promise.all(numbers.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}

describe('the files of a call', () => {
  it('are assets of the account that name the call that created them', async () => {
    const person = await harness.person();
    const answer = await call(person.key, { file: 'asset_sample_logo', times: 2 });
    const [first, second] = answer.body.output.files;
    expect(first).toMatchObject({
      asset_id: expect.stringMatching(/^asset_/),
      url: `http://gateway.test/files/${first.asset_id}/copy%200.png`,
      page_url: `http://gateway.test/assets/${first.asset_id}`,
      content_type: 'image/png',
      filename: 'copy 0.png',
    });
    expect(await listRows(person.accountId)).toMatchObject(
      [first, second].map((file) => ({
        id: file.asset_id,
        call_id: answer.body.id,
        tool: 'copier',
        skill: 'copy',
      })),
    );
    const meta = await harness.request('GET', `/v1/assets/${first.asset_id}/meta`);
    expect(meta.body).toMatchObject({ tool: 'copier', skill: 'copy' });
    await folderGone();
  });

  it.each([
    ['an asset', 'asset_sample_logo', 'logo.png'],
    ['an address', 'SITE/logo.jpg', 'logo.jpg'],
    ['an address with a file name in its response', 'SITE/named', 'naïf.png'],
    ['the hosted address of an asset', 'http://gateway.test/files/asset_sample_logo/x.png', 'logo.png'],
    ['the download address of an asset', 'http://gateway.test/v1/assets/asset_sample_logo', 'logo.png'],
  ])('accept %s and detect its type from the bytes', async (_, file, filename) => {
    const { key } = await harness.person();
    const logo = await readFile('server/assets/samples/logo.png');
    const answer = await call(key, { file: file.replace('SITE', site) });
    expect(answer.body.output.opened).toEqual({
      filename,
      contentType: 'image/png',
      sizeBytes: logo.length,
      sha256: sha256(logo),
    });
  });

  it('can be the input of the next call', async () => {
    const { key } = await harness.person();
    const made = (await call(key, { file: 'asset_sample_logo' })).body.output.files[0];
    for (const file of [made.asset_id, made.url]) {
      const again = await call(key, { file });
      expect(again.body.output.opened.filename).toBe('copy 0.png');
    }
  });

  it.each([
    ['asset_0000', 'There is no asset asset_0000', 404, 'ASSET_NOT_FOUND'],
    ['SITE/missing', 'answered 404', 400, 'INVALID_INPUT'],
    ['http://127.0.0.1:1/x', 'cannot be reached', 502, 'HANDLER_ERROR'],
    ['SITE/large', 'larger than 60,000 bytes', 400, 'INVALID_INPUT'],
    ['SITE/endless', 'larger than 60,000 bytes', 400, 'INVALID_INPUT'],
    ['SITE/cut', 'was interrupted', 502, 'HANDLER_ERROR'],
    ['http://gateway.test/files/asset_0000/x', 'There is no asset', 404, 'ASSET_NOT_FOUND'],
  ])('refuse %s with a clear message', async (file, words, status, code) => {
    const { key } = await harness.person();
    const answer = await call(key, { file: file.replace('SITE', site) });
    expect([answer.status, answer.body.error]).toMatchObject([
      status,
      { code, message: expect.stringContaining(words), billed: false },
    ]);
    await folderGone();
  });

  it('are removed when the attempt fails', async () => {
    const person = await harness.person();
    const sales = async () => (await store.keys()).filter((stored) => !stored.endsWith('.webp'));
    const before = await sales();
    expect((await call(person.key, { file: 'asset_sample_sales', times: 3, after: 'fail' })).status).toBe(
      502,
    );
    await vi.waitFor(async () => expect(await listRows(person.accountId)).toHaveLength(0), {
      timeout: 15_000,
    });
    await vi.waitFor(async () => expect(await sales()).toEqual(before), { timeout: 15_000 });
    await folderGone();
  });

  it('are removed when the attempt times out', async () => {
    const person = await harness.person();
    const hasty = await startHarness({
      tools: [tool],
      peer: harness,
      ports: { blob: store },
      env: { HANDLER_TIMEOUT_SECONDS: '1' },
    });
    const json = { tool: 'copier', skill: 'copy', input: { file: 'asset_sample_logo', after: 'hang' } };
    expect((await hasty.request('POST', '/v1/tools/call', { key: person.key, json })).status).toBe(502);
    await vi.waitFor(async () => expect(await listRows(person.accountId)).toHaveLength(0), {
      timeout: 15_000,
    });
    await folderGone();
    await hasty.close();
  });

  it('a failing store is reported as a failure of the tool, not of the input @E10', async () => {
    const { key } = await harness.person();
    store.broken.add('put');
    const answer = await call(key, { file: 'asset_sample_logo' });
    store.broken.clear();
    expect(answer.body.error).toMatchObject({ code: 'HANDLER_ERROR', message: 'The tool failed.' });
  });

  it('are refused with a message if they exceed the quota', async () => {
    const person = await harness.person();
    await harness.runtime.db.execute(sql`
      insert into assets (id, account_id, filename, content_type, size_bytes, sha256, stored_at, blob_key, expires_at)
      values (${`asset_full${person.accountId.slice(5)}`}, ${person.accountId}, 'f', 'text/plain', ${2 * 1024 * 1024 - 1000},
        'x', now(), 'x', now() + interval '1 day')`);
    const answer = await call(person.key, { file: 'asset_sample_logo' });
    expect(answer.body.error.message).toMatch(/may store 2 MiB, and 0 MiB of it are free/);
  });

  it('leave no file open when they exceed the quota', async () => {
    const person = await harness.person();
    const { size } = await stat('server/assets/samples/logo.png');
    // Room for the first file, given as bytes, but not for the second, given as a path.
    await harness.runtime.db.execute(sql`
      insert into assets (id, account_id, filename, content_type, size_bytes, sha256, stored_at, blob_key, expires_at)
      values (${`asset_full${person.accountId.slice(5)}`}, ${person.accountId}, 'f', 'text/plain',
        ${2 * 1024 * 1024 - size}, 'x', now(), 'x', now() + interval '1 day')`);
    // With a scratch folder that no other test file of this process uses.
    const alone = await startHarness({
      tools: [tool],
      peer: harness,
      ports: { blob: store },
      env: { ASSET_QUOTA_MIB: '2' },
    });
    const dataDir = await realpath(alone.runtime.settings.dataDir);
    const scratch = join(dataDir, 'scratch');
    await rm(scratch);
    await mkdir(scratch);
    const json = { tool: 'copier', skill: 'copy', input: { file: 'asset_sample_logo', times: 2 } };
    for (let calls = 0; calls < 3; calls++) {
      const answer = await alone.request('POST', '/v1/tools/call', { key: person.key, json });
      expect(answer.body.error.message).toMatch(/0 MiB of it are free/);
      expect(lastFolder.startsWith(scratch)).toBe(true);
    }
    await folderGone();
    await vi.waitFor(async () => expect(await listOpenFiles(dataDir)).toEqual([]), { timeout: 15_000 });
    await alone.close();
  });

  it('are limited in number per call', async () => {
    const { key } = await harness.person();
    let answer = await call(key, { file: 'asset_sample_sales', times: 201 });
    // On a busy machine the call may become a job.
    while (answer.body.status === 'pending' || answer.body.status === 'running')
      answer = await harness.request('GET', `/v1/jobs/${answer.body.job_id}`, { key });
    expect(answer.body.error.message ?? answer.body.error).toContain('at most 200 files');
  }, 120_000);

  it('can be created with a provisioned key', async () => {
    const provisioned = await harness.request('POST', '/v1/auth/provision');
    const answer = await call(provisioned.body.api_key, { file: 'asset_sample_logo' });
    expect(answer.status).toBe(200);
    expect(await listRows(provisioned.body.account_id)).toHaveLength(1);
  });

  it('a scratch folder of a dead process is swept, one in use is not', async () => {
    const { settings } = harness.runtime;
    const parent = join(settings.dataDir, 'scratch');
    await mkdir(join(parent, 'call_old-abc'), { recursive: true });
    await mkdir(join(parent, 'call_new-abc'), { recursive: true });
    const long = new Date(Date.now() - settings.handlerTimeoutSeconds * 1000 - 3_700_000);
    await utimes(join(parent, 'call_old-abc'), long, long);
    expect(await sweepScratch(harness.runtime)).toBe(1);
    expect((await readdir(parent)).filter((name) => name.endsWith('-abc'))).toEqual(['call_new-abc']);
  });
});

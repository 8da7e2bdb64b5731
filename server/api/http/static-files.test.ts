import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { createTestServer } from '@/test/support/test-server';
import { openStaticFiles } from './static-files';

const SCRIPT = 'export const answer = 42;\n'.repeat(50);
let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder, 'static/chunks'), { recursive: true });
  await writeFile(join(folder, 'secret.js.br'), brotliCompressSync('outside'));
  const path = join(folder, 'static/chunks/a[b].js');
  await writeFile(path, SCRIPT);
  await writeFile(`${path}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${path}.gz`, gzipSync(SCRIPT));
  await writeFile(join(folder, 'static/chunks/plain.js'), SCRIPT);
  const files = await openStaticFiles(join(folder, 'static'));
  server = createTestServer(async (req, res) => {
    if (!(await files(req, res))) res.writeHead(404).end('next');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(async () => {
  server.close();
  await removeFolder(folder);
});

const get = (path: string, encoding: string, method = 'GET') =>
  fetch(url + path, { method, headers: { 'Accept-Encoding': encoding } });

it('serves the best accepted coding as immutable', async () => {
  for (const [accepted, given] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
  ] as const) {
    const response = await get('/_next/static/chunks/a%5Bb%5D.js?dpl=1', accepted);
    expect(response.headers.get('content-encoding')).toBe(given);
    expect(await response.text()).toBe(SCRIPT);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.get('content-type')).toBe('application/javascript; charset=UTF-8');
  }
  const head = await get('/_next/static/chunks/a%5Bb%5D.js', 'br', 'HEAD');
  expect(head.status).toBe(200);
  expect(Number(head.headers.get('content-length'))).toBe(brotliCompressSync(SCRIPT).byteLength);
  expect(await head.text()).toBe('');
});

it('leaves other files, codings and methods to Next', async () => {
  for (const [path, encoding, method] of [
    ['/_next/static/chunks/a%5Bb%5D.js', 'identity', 'GET'],
    ['/_next/static/chunks/plain.js', 'br', 'GET'],
    ['/_next/static/chunks/none.js', 'br', 'GET'],
    ['/_next/static/chunks/a%5Bb%5D.js', 'br', 'POST'],
    ['/_next/static/chunks/a%5Bb%5D.js.br', 'br', 'GET'],
    ['/_next/static/%E0%A4%A', 'br', 'GET'],
    ['/_next/static/..%2fsecret.js', 'br', 'GET'],
    ['/_next/static/%2e%2e/secret.js', 'br', 'GET'],
    ['/_next/static/chunks/..%2f..%2fsecret.js', 'br', 'GET'],
  ] as const)
    expect((await get(path, encoding, method)).status, path).toBe(404);
});

it('serves nothing if there is no build', async () => {
  const files = await openStaticFiles(join(folder, 'no such folder'));
  expect(await files({ method: 'GET', url: '/_next/static/a.js', headers: {} } as never, {} as never)).toBe(
    false,
  );
});

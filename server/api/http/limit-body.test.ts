import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer } from '@/test/support/test-server';
import { limitBody } from './limit-body';

const LIMIT = 100_000;
let most = 0;
let broken = 0;
let ended = 0;
const server = createTestServer((req, res) => {
  limitBody(req, res, LIMIT);
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    most = Math.max(most, size);
  });
  req.on('error', () => broken++);
  req.on('end', () => {
    ended++;
    res.end(String(size));
  });
});
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => server.close(done)));

/** Sends chunked, or with a Content-Length header. */
function send(bytes: number, headers: Record<string, string | number> = {}) {
  return new Promise<number | undefined>((done) => {
    const { port } = server.address() as AddressInfo;
    const asked = request({ port, host: '127.0.0.1', method: 'POST', headers }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    });
    // The connection may close while the body is being sent.
    asked.on('error', () => done(undefined));
    for (let left = bytes; left > 0; left -= 10_000) asked.write(Buffer.alloc(Math.min(left, 10_000)));
    asked.end();
  });
}

it('accepts a body up to the limit and refuses a longer one, chunked or with its length', async () => {
  expect(await send(LIMIT)).toBe(200);
  expect(await send(LIMIT, { 'content-length': LIMIT })).toBe(200);
  expect([413, undefined]).toContain(await send(5_000_000));
  expect([413, undefined]).toContain(await send(5_000_000, { 'content-length': 5_000_000 }));
  expect(await send(LIMIT + 1)).toBe(413);
  expect(most).toBeLessThanOrEqual(LIMIT);
  await expect.poll(() => broken).toBe(3);
  expect(ended).toBe(2);
});

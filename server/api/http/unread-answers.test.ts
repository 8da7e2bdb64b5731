import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { createTestServer } from '@/test/support/test-server';
import { UnreadAnswers } from './unread-answers';

const MIB = 1024 * 1024;
const BODY = Buffer.alloc(4 * MIB, 'x');
/** Most of it stays unsent: the kernel takes up to 5 MiB of an answer, more on a busy machine. */
const LARGE_BODY = Buffer.alloc(32 * MIB, 'x');
/** Three large answers fit, however much of each the kernel has taken, but not four. */
const THREE_LARGE = 100 * MIB;
const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(unread: UnreadAnswers, body = BODY) {
  let count = 0;
  const server = createTestServer((req, res) => {
    unread.watch(req, res);
    res.end(body);
    count += 1;
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port, answered: () => count };
}

/** Sends requests and reads nothing. */
function ask(port: number, times = 1): Socket {
  const client = connect(port, '127.0.0.1').pause();
  clients.push(client.on('error', () => undefined));
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times));
  return client;
}

/** Reads this many bytes as fast as they arrive, then pauses. */
function readBytes(client: Socket, bytes: number): Promise<void> {
  const until = client.bytesRead + bytes;
  return new Promise((resolve, reject) => {
    const stop = () => client.pause().off('data', onData).off('close', onClose);
    const onData = () => {
      if (client.bytesRead < until) return;
      stop();
      resolve();
    };
    const onClose = () => {
      stop();
      reject(new Error(`Closed after ${client.bytesRead} bytes`));
    };
    client.on('data', onData).on('close', onClose).resume();
  });
}

const connections = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

it('keeps the memory for fifty clients that never read within the limit of their network @F6', async () => {
  const unread = new UnreadAnswers({ graceMs: 0, networkBytes: THREE_LARGE });
  const { server, port, answered } = await serve(unread, LARGE_BODY);
  for (let n = 0; n < 50; n += 1) ask(port);
  await expect.poll(answered).toBe(50);
  await expect.poll(() => connections(server)).toBe(3);
  expect(unread.bytes).toBeLessThanOrEqual(THREE_LARGE);
  expect(unread.bytes).toBeGreaterThan(2 * LARGE_BODY.byteLength);
  // Meanwhile, a client that reads gets the full response.
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect((await response.arrayBuffer()).byteLength).toBe(LARGE_BODY.byteLength);
});

it('closes no client that reads, however many answers are written at once @F6', async () => {
  const { port } = await serve(new UnreadAnswers({ graceMs: 600_000, networkBytes: 5 * MIB }));
  const read = async () => (await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer()).byteLength;
  expect(await Promise.all(Array.from({ length: 6 }, read))).toEqual(Array(6).fill(BODY.byteLength));
});

it('closes clients that do not read once they have had time to @F6', async () => {
  const unread = new UnreadAnswers({ graceMs: 100, networkBytes: THREE_LARGE });
  const { server, port, answered } = await serve(unread, LARGE_BODY);
  for (let n = 0; n < 6; n += 1) ask(port);
  await expect.poll(answered).toBe(6);
  await expect.poll(() => connections(server)).toBe(3);
});

it('listens once to an answer that waits for its client many times', async () => {
  const unread = new UnreadAnswers();
  let answer: ServerResponse | undefined;
  let waits = 0;
  const server = createTestServer(async (req, res) => {
    answer = res;
    unread.watch(req, res);
    for (; waits < 20; waits += 1) if (!res.write(BODY)) await once(res, 'drain');
    res.end();
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = ask((server.address() as AddressInfo).port);
  await expect.poll(() => unread.bytes).toBeGreaterThan(0);
  const before = ['drain', 'finish', 'close', 'timeout'].map((event) => answer?.listenerCount(event));
  await readBytes(client, 15 * BODY.byteLength);
  await expect.poll(() => waits).toBeGreaterThan(12);
  expect(['drain', 'finish', 'close', 'timeout'].map((event) => answer?.listenerCount(event))).toEqual(
    before,
  );
});

it('counts answers queued behind an unread one @F6', async () => {
  const unread = new UnreadAnswers({ graceMs: 0, networkBytes: 20 * MIB });
  const { server, port } = await serve(unread);
  ask(port, 200);
  await expect.poll(() => connections(server)).toBe(0);
  // The answers see the closed connection one turn of the event loop later.
  await expect.poll(() => unread.bytes).toBe(0);
});

it('counts an answer that a compressor buffers, although the socket shows little of it @F6', async () => {
  const unread = new UnreadAnswers({ graceMs: 0, networkBytes: 3 * MIB });
  const noise = Buffer.from(Array.from({ length: 8 * MIB }, () => Math.floor(Math.random() * 256)));
  const server = createTestServer((req, res) => {
    unread.watch(req, res);
    const gzip = createGzip();
    gzip.pipe(res).on('error', () => undefined);
    gzip.end(noise);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (let n = 0; n < 8; n += 1) ask(port);
  await expect.poll(() => connections(server)).toBeLessThanOrEqual(3);
});

it('closes a client that reads nothing for the timeout, but not one that reads slowly @F6', async () => {
  // A client that reads too late is closed rightly, so on a busy machine the timeout doubles.
  let stallMs = 2_000;
  while (!(await closesOnlyTheStalled(stallMs))) stallMs *= 2;
});

/** False if this process was too slow to read in time, which proves nothing. */
async function closesOnlyTheStalled(stallMs: number): Promise<boolean> {
  const unread = new UnreadAnswers({ stallMs, networkBytes: 64 * MIB });
  const { server, port } = await serve(unread, Buffer.alloc(24 * MIB, 'x'));
  const closed: (number | undefined)[] = [];
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    socket.on('close', () => closed.push(remotePort));
  });
  const stalled = ask(port);
  await once(stalled, 'connect');
  const { localPort } = stalled;
  const slow = ask(port);
  let readAt = performance.now();
  try {
    // The kernel requests more only once a third of its buffer, of at most 4 MiB, is free.
    for (let bytes = 2 * MIB; slow.bytesRead < 23 * MIB; bytes = slow.bytesRead < 22 * MIB ? 2 * MIB : MIB) {
      await readBytes(slow, bytes);
      if (performance.now() - readAt > stallMs / 2) return false;
      readAt = performance.now();
      await setTimeout(stallMs / 6);
    }
  } catch (error) {
    if (performance.now() - readAt > stallMs / 2) return false;
    throw error;
  }
  await expect.poll(() => closed[0], { timeout: 15 * stallMs }).toBe(localPort);
  await expect.poll(() => unread.bytes).toBe(0);
  return true;
}

it('cuts off a single answer larger than the limit of its network', async () => {
  const { server, port } = await serve(new UnreadAnswers({ graceMs: 0, networkBytes: MIB }));
  ask(port);
  await expect.poll(() => connections(server)).toBe(0);
});

import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestServer } from '@/test/support/test-server';
import type { HttpResponse } from '../../core/http/message';
import type { CallEvent } from '../../core/trpc/context';
import { EVENT_STREAM_HEADERS } from '../http/sse';
import { nodeAdapter } from './node-adapter';

const MIB = 1024 * 1024;
const UNREAD_MS = 500;
const server: { now: Server | null } = { now: null };
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.now?.closeAllConnections();
  await new Promise((resolve) => server.now?.close(resolve));
});

/** A server that sends `body` to every request, and a paused client that has sent one. */
async function ask(body: HttpResponse['body']): Promise<Socket> {
  const answer = async () => ({ status: 200, headers: { ...EVENT_STREAM_HEADERS }, body });
  server.now = createTestServer(
    nodeAdapter({ answer, observer: { requestEnded: () => undefined } }, UNREAD_MS),
  );
  await once(server.now.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.now.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client.pause().on('error', () => undefined));
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return client;
}

function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.now?.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

describe('a client that does not read', () => {
  it('is disconnected after a few megabytes of an endless event stream, and no more events are produced @E7 @E15', {
    timeout: 120_000,
  }, async () => {
    let made = 0;
    let isOver = false;
    async function* endless(): AsyncGenerator<CallEvent> {
      try {
        for (;;) {
          made += MIB;
          yield { id: '1', event: 'progress', data: { text: 'x'.repeat(MIB) } };
          await new Promise(setImmediate);
        }
      } finally {
        isOver = true;
      }
    }
    await ask(endless());
    await expect.poll(() => isOver, { timeout: 20_000 }).toBe(true);
    await expect.poll(connections, { timeout: 20_000 }).toBe(0);
    // We buffer eight; the rest is in the system's socket buffers.
    expect(made).toBeLessThan(40 * MIB);
  });

  it('is disconnected some time after a stream has ended @E7', { timeout: 120_000 }, async () => {
    async function* ending(): AsyncGenerator<CallEvent> {
      for (let i = 0; i < 14; i++) {
        yield { id: '1', event: 'progress', data: { text: 'x'.repeat(MIB / 2) } };
        await new Promise(setImmediate);
      }
    }
    await ask(ending());
    await expect.poll(connections, { timeout: 20_000 }).toBe(1);
    await expect.poll(connections, { timeout: 20_000 }).toBe(0);
  });

  it('is disconnected some time after a long response', { timeout: 120_000 }, async () => {
    await ask('x'.repeat(16 * MIB));
    await expect.poll(connections, { timeout: 20_000 }).toBe(1);
    await expect.poll(connections, { timeout: 20_000 }).toBe(0);
  });
});

it('ends the event stream when the client disconnects @E7', async () => {
  let ended = () => {};
  const over = new Promise<void>((resolve) => {
    ended = resolve;
  });
  async function* endless(): AsyncGenerator<CallEvent> {
    try {
      for (let n = 0; ; n++) {
        yield { id: '1', event: 'progress', data: { n } };
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      ended();
    }
  }
  const client = await ask(endless());
  client.resume();
  await once(client, 'data');
  client.destroy();
  await over;
  await expect.poll(connections).toBe(0);
});

import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FaultProxy } from '../system/fixtures/fault-proxy';

/** An echo server. */
let echo: Server;
let proxy: FaultProxy;
const clients: Client[] = [];

/** A client that records what it receives through the proxy. */
class Client {
  text = '';
  end: string | undefined;
  readonly socket: Socket;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' });
    this.socket.on('data', (piece) => {
      this.text += piece;
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      this.end = error.code;
    });
    this.socket.on('close', () => {
      this.end ??= 'closed';
    });
    clients.push(this);
  }

  send(words: string): this {
    this.socket.write(words);
    return this;
  }

  hears = (words: string) => expect.poll(() => this.text, { timeout: 10_000 }).toBe(words);
  ends = (how: string) => expect.poll(() => this.end, { timeout: 10_000 }).toBe(how);
}

const connectClient = () => new Client(proxy.port);

beforeAll(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done));
});

beforeEach(async () => {
  const address = echo.address();
  proxy = await FaultProxy.start({ port: typeof address === 'object' && address ? address.port : 0 });
});

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await proxy.stop();
});

afterAll(() => new Promise((done) => echo.close(done)));

describe('the fault proxy', () => {
  it('forwards data in both directions, and the end of a connection', async () => {
    const client = connectClient().send('hello');
    await client.hears('hello');
    client.socket.end();
    await client.ends('closed');
    await expect.poll(() => proxy.open).toBe(0);
  });

  it('refuses connections and later accepts them on the same port', async () => {
    const before = connectClient().send('a');
    await before.hears('a');
    const { port } = proxy;
    await proxy.refuse();
    await before.ends('ECONNRESET');
    await connectClient().ends('ECONNREFUSED');
    await proxy.pass();
    expect(proxy.port).toBe(port);
    await connectClient().send('b').hears('b');
  });

  it('hangs on old and new connections, then forwards the buffered data in order', async () => {
    const old = connectClient().send('a');
    await old.hears('a');
    proxy.hang();
    old.send('b').send('c');
    const young = connectClient().send('d');
    await wait(300);
    expect([old.text, old.end, young.text, young.end]).toEqual(['a', undefined, '', undefined]);
    await proxy.pass();
    await old.hears('abc');
    await young.hears('d');
  });

  it('does not forward the end of a connection while it hangs', async () => {
    const client = connectClient().send('a');
    await client.hears('a');
    proxy.hang();
    client.socket.end();
    await wait(200);
    expect(client.end).toBeUndefined();
    await proxy.pass();
    await client.ends('closed');
  });

  it('resets every connection and accepts new ones', async () => {
    const client = connectClient().send('a');
    await client.hears('a');
    proxy.reset();
    await client.ends('ECONNRESET');
    await connectClient().send('b').hears('b');
  });

  it('adds latency and limits the rate without losing data', async () => {
    const client = connectClient().send('a');
    await client.hears('a');
    proxy.slow({ latencyMs: 200 });
    const started = performance.now();
    client.send('b');
    await client.hears('ab');
    // The latency applies in each direction.
    expect(performance.now() - started).toBeGreaterThanOrEqual(390);
    proxy.slow({ bytesPerSecond: 10_000 });
    const since = performance.now();
    client.send('x'.repeat(3000));
    await client.hears(`ab${'x'.repeat(3000)}`);
    expect(performance.now() - since).toBeGreaterThanOrEqual(290);
  });

  it('keeps the order of chunks of any size, and the end after them, while it is slow', async () => {
    proxy.slow({ bytesPerSecond: 1024 * 1024 });
    const pieces = Array.from({ length: 200 }, (_, n) => `${n}:${'x'.repeat((n * 7919) % 4000)};`);
    const client = connectClient();
    for (const [n, piece] of pieces.entries()) {
      client.send(piece);
      if (n % 3 === 0) await new Promise((done) => setImmediate(done));
    }
    client.socket.end();
    await client.ends('closed');
    expect(client.text === pieces.join('')).toBe(true);
  });

  it('closes a connection after a number of bytes from the target', async () => {
    proxy.cutAfter(3);
    const client = connectClient().send('abcdef');
    await client.ends('closed');
    expect(client.text).toBe('abc');
  });

  it('makes open connections unresponsive but not new ones', async () => {
    const old = connectClient().send('a');
    await old.hears('a');
    proxy.blackhole();
    old.send('b');
    await connectClient().send('c').hears('c');
    await proxy.pass();
    await wait(200);
    expect([old.text, old.end]).toEqual(['a', undefined]);
  });
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { openSocket } from '@/test/support/raw-socket';
import { readSettings } from '../../platform/settings/settings';
import { createFront, type Front } from './front';

const fronts: Front[] = [];
const clients: Socket[] = [];
afterEach(() => {
  globalThis.__gateway = undefined;
  for (const client of clients.splice(0)) client.destroy();
  for (const front of fronts.splice(0)) {
    front.server.closeAllConnections();
    front.server.close();
  }
});

const GET = 'GET /v1/tools HTTP/1.1\r\nHost: x\r\n\r\n';

/** Creates the front with `dispatch` as a fake dispatcher. */
async function openGateway(dispatch: (req: IncomingMessage, res: ServerResponse) => void) {
  const front = createFront(() => undefined);
  fronts.push(front);
  const port = await front.listen(readSettings({ NODE_ENV: 'test', PORT: '0' }), true);
  globalThis.__gateway = { dispatch };
  front.open(async (_req, res) => void res.end());
  const connect = async () => {
    const client = await openSocket(port);
    clients.push(client.on('error', () => undefined).resume());
    return client;
  };
  return { connect };
}

it('starts API requests of a connection one at a time, and does not read waiting ones @F5', async () => {
  const held: ServerResponse[] = [];
  let others = 0;
  const { connect } = await openGateway((req, res) => {
    if (req.url !== '/v1/other') return void held.push(res);
    others += 1;
    res.end('{}');
  });
  const client = await connect();
  client.write(GET.replace('\r\n\r\n', `\r\nX-A: ${'a'.repeat(4_000)}\r\n\r\n`).repeat(1_000));
  await expect.poll(() => held.length).toBe(1);
  const other = await connect();
  for (let at = 1; at <= 30; at += 1) {
    other.write(GET.replace('tools', 'other'));
    await new Promise((resolve) => other.once('data', resolve));
  }
  expect([others, held.length]).toEqual([30, 1]);
  // The part of 4 MB that arrives at once.
  expect(held[0]?.req.socket.bytesRead).toBeLessThanOrEqual(128 * 1024);
});

it('serves other connections between responses that are ready at once @F5', async () => {
  let flooded = 0;
  let seenByOther: number | undefined;
  const { connect } = await openGateway((req, res) => {
    if (req.url === '/v1/other') seenByOther = flooded;
    else if (++flooded === 1) other.write(GET.replace('tools', 'other'));
    res.end('{}');
  });
  const other = await connect();
  const client = await connect();
  client.write(GET.repeat(1_200));
  await expect.poll(() => flooded).toBe(1_200);
  expect(seenByOther).toBeGreaterThan(0);
  expect(seenByOther).toBeLessThan(600);
});

it('never starts a request after its connection ended @F5', async () => {
  const warnings: Error[] = [];
  const collect = (warning: Error) => {
    if (warning.message.includes('[Socket]')) warnings.push(warning);
  };
  process.on('warning', collect);
  onTestFinished(() => void process.off('warning', collect));
  const started: ServerResponse[] = [];
  const { connect } = await openGateway((_req, res) => void started.push(res));
  const refused = await connect();
  refused.write(GET.replace('/v1/tools', '/a/../b') + GET.repeat(100));
  await new Promise((resolve) => refused.once('close', resolve));
  expect(started).toHaveLength(0);
  const leaving = await connect();
  leaving.write(GET.repeat(100));
  await expect.poll(() => started.length).toBe(1);
  leaving.resetAndDestroy();
  // The gateway does not read in the meantime: it notices the disconnect when it writes.
  for (let at = 0; at < started.length; at += 1) {
    started[at]?.end('{}');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(started.length).toBeLessThan(5);
  expect(warnings).toEqual([]);
});

it('delivers the complete body of a request that waited behind a slow one', async () => {
  const bodies: number[] = [];
  const { connect } = await openGateway((req, res) => {
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
    });
    req.on('end', () => {
      bodies.push(bytes);
      setTimeout(() => res.end('{}'), 5);
    });
  });
  const client = await connect();
  const length = 700_000;
  const post = `POST /v1/tools/call HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
  client.write(GET + post + GET + post);
  await expect.poll(() => bodies).toEqual([0, length, 0, length]);
});

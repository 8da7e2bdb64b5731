import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FaultProxy } from '../../test/system/fixtures/fault-proxy';
import { createSmtpMailer } from './mail';

/** Longer than the mailer waits, shorter than a person does. */
const BOUND_MS = 20_000;
const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

/** A mail server that takes every mail. */
let server: Server;
let proxy: FaultProxy;
let taken = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    let inData = false;
    socket.on('error', () => undefined);
    socket.write('220 mail.test ESMTP\r\n');
    socket.on('data', (piece) => {
      const text = String(piece);
      if (inData) {
        if (!text.endsWith('\r\n.\r\n')) return;
        inData = false;
        taken++;
        socket.write('250 taken\r\n');
      } else if (/^DATA/i.test(text)) {
        inData = true;
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
      else socket.write('250 fine\r\n');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

beforeEach(async () => {
  const address = server.address();
  proxy = await FaultProxy.start({ port: typeof address === 'object' && address ? address.port : 0 });
});
afterEach(() => proxy.stop());
afterAll(() => new Promise((done) => server.close(done)));

describe('a mail server', () => {
  const send = async () => {
    const mailer = createSmtpMailer(`smtp://127.0.0.1:${proxy.port}`, 'gateway@example.com');
    const begun = performance.now();
    const ok = await mailer.send(MESSAGE).then(
      () => true,
      () => false,
    );
    return { ok, inTime: performance.now() - begun < BOUND_MS };
  };

  it('that is there, or slow, takes the mail', async () => {
    expect(await send()).toEqual({ ok: true, inTime: true });
    proxy.slow({ latencyMs: 100 });
    expect(await send()).toEqual({ ok: true, inTime: true });
    expect(taken).toBe(2);
  });

  it('that hangs, refuses or breaks off is given up before a person gives up', {
    timeout: 120_000,
  }, async () => {
    proxy.hang();
    expect(await send()).toEqual({ ok: false, inTime: true });
    await proxy.pass();
    proxy.cutAfter(40);
    expect(await send()).toEqual({ ok: false, inTime: true });
    await proxy.refuse();
    expect(await send()).toEqual({ ok: false, inTime: true });
  });
});

import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FaultProxy } from '../../../test/system/fixtures/fault-proxy';
import { createSmtpMailer, SMTP_TIMEOUTS } from './mail';

/** How long a user waits for a sign-in link to be sent. */
const PATIENCE_MS = 20_000;
/** For a server that never responds, which only this timeout ends quickly. */
const SHORT = { ...SMTP_TIMEOUTS, greetingTimeout: 200 };
const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

/** A mail server that accepts every email. */
let server: Server;
let proxy: FaultProxy;
let taken = 0;
let received = '';

beforeAll(async () => {
  server = createServer((socket) => {
    let inData = false;
    socket.on('error', () => undefined);
    socket.write('220 mail.test ESMTP\r\n');
    socket.on('data', (piece) => {
      const text = String(piece);
      if (inData) {
        received += text;
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
  const send = async (timeouts = SMTP_TIMEOUTS) => {
    const mailer = createSmtpMailer({
      url: `smtp://127.0.0.1:${proxy.port}`,
      from: 'gateway@example.com',
      brand: { logo: null },
      timeouts,
    });
    return await mailer.send(MESSAGE);
  };

  it('accepts an email, even if it is slow', async () => {
    await send();
    proxy.slow({ latencyMs: 20 });
    await send();
    expect(taken).toBe(2);
    expect(received).toContain('Content-ID: <brand-logo>');
    expect(received).toContain('Content-Type: image/png; name=logo.png');
  });

  it('times out before a user gives up if it hangs, refuses or disconnects @E11', async () => {
    proxy.hang();
    await expect(send(SHORT)).rejects.toMatchObject({ message: 'Greeting never received' });
    await proxy.pass();
    proxy.cutAfter(40);
    await expect(send()).rejects.toThrow('Connection closed unexpectedly');
    await proxy.refuse();
    await expect(send()).rejects.toThrow('ECONNREFUSED');
    const { dnsTimeout, connectionTimeout, greetingTimeout, socketTimeout } = SMTP_TIMEOUTS;
    const untilGreeting = dnsTimeout + Math.max(connectionTimeout, greetingTimeout);
    expect(Math.max(untilGreeting, socketTimeout)).toBeLessThan(PATIENCE_MS);
  });
});

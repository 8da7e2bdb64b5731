import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RawSite, startRawSite } from '@/test/support/raw-site';
import { watchUncaught } from '@/test/support/uncaught';
import { isSkillError } from '../../core/errors/skill-error';
import { createOutboundFetch } from './outbound';
import type { OutboundFetch } from './outbound-fetch';
import { OutboundGuard } from './outbound-guard';
import { HOSTILE_ANSWERS as answers } from './testing/hostile-responses';

let site: RawSite;
let outbound: OutboundFetch;
let uncaught: ReturnType<typeof watchUncaught>;

beforeAll(async () => {
  site = await startRawSite(answers);
  const guard = new OutboundGuard({ allow: [{ host: '127.0.0.1', port: site.port }] });
  outbound = createOutboundFetch({ guard, limits: { idleMs: 2_000 } });
});
afterAll(() => site.close());
beforeEach(() => {
  uncaught = watchUncaught();
});
afterEach(() => uncaught.stop());

type Reader = (response: Response) => Promise<unknown>;

/** What a caller may do with a response. */
const readers: Record<string, Reader> = {
  'read whole': (response) => response.arrayBuffer(),
  'cancelled unread': async (response) => await response.body?.cancel(),
  'left alone': async () => undefined,
  'cancelled while read': async (response) => {
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  },
};

/** The error of one call, or null. */
async function captureFailure(path: string, read: Reader, init?: RequestInit): Promise<unknown> {
  try {
    await read(await outbound(`${site.origin}${path}`, init));
    return null;
  } catch (error) {
    return error;
  }
}

/** Waits for errors of destroyed streams, which are raised after the call has ended. */
const afterTheCall = () => new Promise((resolve) => setTimeout(resolve, 60));

it.each(Object.entries(readers))('an invalid response fails only its own call, %s @F15', async (_, read) => {
  const paths = Object.keys(answers);
  const failures = await Promise.all(paths.map((path) => captureFailure(path, read)));
  const form = new FormData();
  form.set('field', 'value');
  const posted = await Promise.all(
    paths.map((path) => captureFailure(path, read, { method: 'POST', body: form })),
  );
  await afterTheCall();
  expect(uncaught.errors).toEqual([]);
  for (const failure of [...failures, ...posted])
    expect(failure === null || isSkillError(failure)).toBe(true);
  expect(await (await outbound(`${site.origin}/ok`)).text()).toBe('hello');
});

it.each(['/gzip-six-times', '/gzip-six-headers', '/gzip-1000-times', '/location-to-gzip-six-times'])(
  'more encodings than allowed fail the call (%s) @F15',
  async (path) => {
    const failure = await captureFailure(path, (response) => response.text());
    expect(String(failure)).toContain('is compressed more than 2 times');
    await afterTheCall();
    expect(uncaught.errors).toEqual([]);
  },
);

it('bytes after a response without a body are not read to their end', async () => {
  let sent = 0;
  let closed: (() => void) | undefined;
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const endless = await startRawSite((socket) => {
    socket.on('close', () => closed?.());
    const piece = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      while (!socket.destroyed && sent < 256 * 1024 * 1024) {
        sent += piece.length;
        if (!socket.write(piece)) return void socket.once('drain', more);
      }
      socket.end();
    };
    socket.write('HTTP/1.1 205 Reset Content\r\nContent-Type: text/plain\r\n\r\n');
    more();
  });
  try {
    const guard = new OutboundGuard({ allow: [{ host: '127.0.0.1', port: endless.port }] });
    const answer = await createOutboundFetch({ guard })(endless.origin);
    expect([answer.status, await answer.text()]).toEqual([205, '']);
    await isClosed;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    expect(uncaught.errors).toEqual([]);
  } finally {
    await endless.close();
  }
});

it('a call that is aborted at any moment fails alone @F15', async () => {
  const reads = Object.keys(answers).map(async (path, index) => {
    const signal = AbortSignal.timeout(index % 12);
    return await captureFailure(path, (response) => response.text(), { signal });
  });
  await Promise.all(reads);
  await afterTheCall();
  expect(uncaught.errors).toEqual([]);
});

/** More than a stream buffers and less than one socket read: a paused reader leaves none unread. */
const PIECE = Buffer.alloc(40_000, 'abcdefgh');
const CLOSES = 'HTTP/1.1 200 OK\r\nConnection: close\r\n';
const GZIPPED_PIECE = gzipSync(randomBytes(40_000));
const chunked = Buffer.concat([Buffer.from('9c40\r\n'), PIECE, Buffer.from('\r\n0\r\n\r\n')]);

it.each<[string, string, Buffer]>([
  [
    'a length',
    `${CLOSES}Content-Length: ${GZIPPED_PIECE.length}\r\nContent-Encoding: gzip\r\n\r\n`,
    GZIPPED_PIECE,
  ],
  ['no length', `${CLOSES}\r\n`, PIECE],
  ['chunks', `${CLOSES}Transfer-Encoding: chunked\r\n\r\n`, chunked],
])(
  'a response with %s of a server that closes is complete even if it is read later @F15',
  async (_, head, body) => {
    const paused = await startRawSite((socket) => {
      socket.write(head);
      // Separate from the headers and from the end, so that no socket buffer holds unread bytes.
      setTimeout(() => socket.write(body, () => setTimeout(() => socket.end(), 50)), 50);
    });
    const guard = new OutboundGuard({ allow: [{ host: '127.0.0.1', port: paused.port }] });
    const fetch = createOutboundFetch({ guard });
    const responses = await Promise.all(Array.from({ length: 8 }, () => fetch(paused.origin)));
    await new Promise((resolve) => setTimeout(resolve, 400));
    const sizes = await Promise.all(responses.map(async (each) => (await each.arrayBuffer()).byteLength));
    expect(new Set(sizes)).toEqual(new Set([PIECE.length]));
    expect(uncaught.errors).toEqual([]);
    await paused.close();
  },
);

it('an unread response of a server that resets the connection raises no error @F15', async () => {
  const paused = await startRawSite((socket) => {
    socket.write(`${CLOSES}\r\n`);
    setTimeout(() => socket.write(PIECE, () => setTimeout(() => socket.resetAndDestroy(), 50)), 50);
  });
  const guard = new OutboundGuard({ allow: [{ host: '127.0.0.1', port: paused.port }] });
  const fetch = createOutboundFetch({ guard });
  const responses = await Promise.all(Array.from({ length: 8 }, () => fetch(paused.origin)));
  await new Promise((resolve) => setTimeout(resolve, 400));
  await Promise.allSettled(responses.map((each) => each.arrayBuffer()));
  await afterTheCall();
  expect(uncaught.errors).toEqual([]);
  await paused.close();
});

it.each([
  [1, 'sent its response in too many small pieces'],
  [200, undefined],
])('a response of 40,000 chunks of %i bytes is ended only if they are small @E23', async (size, expected) => {
  const chunk = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
  const chunky = await startRawSite((socket) => {
    socket.end(`${CLOSES}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(40_000)}0\r\n\r\n`);
  });
  const fetch = createOutboundFetch({
    guard: new OutboundGuard({ allow: [{ host: '127.0.0.1', port: chunky.port }] }),
  });
  const read = async () => (await (await fetch(chunky.origin)).arrayBuffer()).byteLength;
  if (expected) await expect(read()).rejects.toThrow(expected);
  else expect(await read()).toBe(40_000 * size);
  await afterTheCall();
  expect(uncaught.errors).toEqual([]);
  await chunky.close();
});

const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';

it.each([
  [20, undefined],
  [21, 'sent too many informational responses (103)'],
])('%i informational responses before the final one: %s @E23', async (count, expected) => {
  const hinting = await startRawSite((socket) => {
    socket.end(`${HINT.repeat(count)}${CLOSES}Content-Length: 2\r\n\r\nok`);
  });
  const fetch = createOutboundFetch({
    guard: new OutboundGuard({ allow: [{ host: '127.0.0.1', port: hinting.port }] }),
  });
  const read = async () => await (await fetch(hinting.origin)).text();
  if (expected) await expect(read()).rejects.toThrow(expected);
  else expect(await read()).toBe('ok');
  await afterTheCall();
  expect(uncaught.errors).toEqual([]);
  await hinting.close();
});

import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { RawAnswer } from '@/test/support/raw-site';

const GZIPPED = gzipSync('hello');
const OK = 'HTTP/1.1 200 OK\r\n';
/** A response with status line, headers, Content-Length and body. */
const answer = (headers: string, body: string | Buffer = 'hello') =>
  Buffer.concat([
    Buffer.from(`${OK}${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
const sends =
  (...parts: (string | Buffer)[]): RawAnswer =>
  (socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };
const resets =
  (...parts: string[]): RawAnswer =>
  (socket) => {
    for (const part of parts) socket.write(part);
    setTimeout(() => socket.resetAndDestroy(), 20);
  };
const redirects = (location: string): RawAnswer =>
  sends(Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`, 'latin1'));
const encoded = (encoding: string, body?: string | Buffer) =>
  sends(answer(`Content-Encoding: ${encoding}\r\n`, body ?? GZIPPED));
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const WRONG_GZIP = Buffer.concat([GZIPPED.subarray(0, 10), Buffer.from('nonsense')]);

/**
 * Malformed HTTP responses by path. Each must be accepted or fail only the call that received it.
 */
export const HOSTILE_ANSWERS: Record<string, RawAnswer> = {
  '/gzip-six-times': encoded('gzip, gzip, gzip, gzip, gzip, gzip'),
  '/gzip-six-headers': sends(answer('Content-Encoding: gzip\r\n'.repeat(6), GZIPPED)),
  '/gzip-six-times-and-reset': resets(`${OK}Content-Encoding: ${'gzip,'.repeat(5)}gzip\r\n\r\n`, 'x'),
  '/gzip-1000-times': encoded(Array(1_000).fill('gzip').join(',')),
  '/gzip-five-times': encoded('gzip,gzip,gzip,gzip,gzip'),
  '/unknown-encoding': encoded('zstd', 'hello'),
  '/unknown-in-the-middle': encoded('gzip, lzma, br', 'hello'),
  '/encoding-of-the-prototype': encoded('__proto__, constructor', 'hello'),
  '/encoding-of-commas': encoded(',,,,', 'hello'),
  '/empty-encoding': encoded('', 'hello'),
  '/encoding-in-latin1': sends(answer('Content-Encoding: gz\xffip\r\n')),
  '/gzip-that-is-none': encoded('gzip', 'hello'),
  '/gzip-that-breaks': encoded('gzip', WRONG_GZIP),
  '/br-that-is-none': encoded('br', 'hello'),
  '/deflate-that-is-none': encoded('deflate', 'hello'),
  '/br-in-gzip-that-is-none': encoded('gzip, br', brotliCompressSync('hello')),
  '/empty-gzip': encoded('gzip', ''),
  '/chunked-wrong-in-the-first-packet': sends(`${CHUNKED}ZZZ\r\nhello`),
  '/chunked-wrong-and-reset': resets(`${CHUNKED}ZZZ\r\nhello`),
  '/chunked-truncated': sends(`${CHUNKED}ff\r\nhello`),
  '/chunked-and-reset': resets(`${CHUNKED}5\r\nhello\r\n`),
  '/chunked-huge-size': sends(`${CHUNKED}ffffffffffffffffffffff\r\nhello`),
  '/chunk-extensions': sends(`${CHUNKED}5;${'x'.repeat(60_000)}\r\nhello\r\n0\r\n\r\n`),
  '/trailers': sends(`${CHUNKED}5\r\nhello\r\n0\r\nX-Late: ${'x'.repeat(60_000)}\r\n\r\n`),
  '/trailers-wrong': sends(`${CHUNKED}5\r\nhello\r\n0\r\nNo trailer\r\n\r\n`),
  '/gzip-chunked-and-reset': resets(
    `${OK}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nx`,
  ),
  '/length-too-large': sends(`${OK}Content-Length: 100\r\n\r\nhello`),
  '/length-large-and-reset': resets(`${OK}Content-Length: 9000000\r\n\r\nhello`),
  '/length-too-small': sends(`${OK}Content-Length: 1\r\n\r\nhello`),
  '/length-twice': sends(`${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`),
  '/length-negative': sends(`${OK}Content-Length: -5\r\n\r\nhello`),
  '/length-no-number': sends(`${OK}Content-Length: 0x5\r\n\r\nhello`),
  '/length-and-chunked': sends(`${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  '/bytes-after-the-end': sends(answer(''), 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmore'),
  '/nul-in-a-header': sends(answer('X-Odd: a\0b\r\n')),
  '/lone-cr-in-a-header': sends(answer('X-Odd: a\rb\r\n')),
  '/lone-lf-in-a-header': sends(answer('X-Odd: a\nb\r\n')),
  '/latin1-in-a-header': sends(answer('X-Odd: \xe9\xff\r\n')),
  '/header-without-a-name': sends(answer(': nameless\r\n')),
  '/header-with-an-odd-name': sends(answer('X Odd(): value\r\n')),
  '/header-of-the-prototype': sends(answer('__proto__: x\r\nconstructor: y\r\n')),
  '/folded-header': sends(answer('X-Odd: a\r\n b\r\n')),
  '/endless-headers': (socket) => {
    socket.write(OK);
    const line = `X-More: ${'x'.repeat(1_000)}\r\n`;
    const more = () => {
      while (!socket.destroyed) if (!socket.write(line)) return void socket.once('drain', more);
    };
    more();
  },
  '/100-storm': sends('HTTP/1.1 100 Continue\r\n\r\n'.repeat(5_000), answer('')),
  '/103-storm': sends('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(5_000), answer('')),
  '/101': sends('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  '/status-000': sends('HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n'),
  '/status-199': sends('HTTP/1.1 199 Odd\r\n\r\n', answer('')),
  '/status-999': sends('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'),
  '/status-1000': sends('HTTP/1.1 1000 Odd\r\nContent-Length: 0\r\n\r\n'),
  '/status-in-latin1': sends(Buffer.from('HTTP/1.1 200 \xe9\xff\r\nContent-Length: 0\r\n\r\n', 'latin1')),
  '/204-with-a-body': sends('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello'),
  '/304-with-a-body': sends('HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\nhello'),
  '/http-0.9': sends('hello'),
  '/http-2': sends('HTTP/2 200 OK\r\n\r\nhello'),
  '/http-2-preface': sends('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  '/nothing': sends(),
  '/reset': resets(),
  '/location-nul': redirects('/a\0b'),
  '/location-latin1': redirects('/caf\xe9\xff'),
  '/location-no-address': redirects('http://[::1'),
  '/location-of-a-script': redirects('javascript:alert(1)'),
  '/location-long': redirects(`/${'x'.repeat(30_000)}`),
  '/location-to-itself': redirects('/location-to-itself'),
  '/location-to-gzip-six-times': redirects('/gzip-six-times'),
  '/location-with-gzip-six-times': sends(
    `HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Encoding: ${'gzip,'.repeat(5)}gzip\r\n\r\nx`,
  ),
  '/location-empty': redirects(''),
  '/ok': sends(answer('')),
};

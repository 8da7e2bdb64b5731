// Requests that client libraries do not send: a raw target, an endless body, a response that is
// never read.
import { request } from 'node:http';

const ANSWER_LIMIT_MS = 40_000;
const MAX_TEXT_CHARS = 2_000;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

export interface RawAnswer {
  /** 0 if the connection ended without a response. */
  status: number;
  /** The first 2,000 characters. */
  text: string;
  /** Bytes sent of the body. */
  sentBytes: number;
}

interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Sends a body of at least this many bytes. */
  endlessBytes?: number;
}

/** Sends a request with the target byte for byte. */
export function sendRaw(
  baseUrl: string,
  target: string,
  { method = 'GET', headers = {}, body, endlessBytes = 0 }: RawRequest = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let sentBytes = 0;
    const end = (status: number, text = '') => resolve({ status, text, sentBytes });
    const sent = request(
      { hostname, port, path: target, method, headers, agent: false, timeout: ANSWER_LIMIT_MS },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          if (text.length < MAX_TEXT_CHARS) text += chunk;
        });
        response.on('error', () => end(0));
        response.on('end', () => end(response.statusCode ?? 0, text));
      },
    );
    sent.on('error', () => end(0));
    sent.on('timeout', () => sent.destroy());
    if (body !== undefined) sent.write(body);
    const writeMore = () => {
      while (sentBytes < endlessBytes && !sent.destroyed) {
        sentBytes += CHUNK.byteLength;
        if (sent.write(CHUNK)) continue;
        sent.once('drain', writeMore);
        return;
      }
      sent.end();
    };
    writeMore();
  });
}

/** Sends a request, never reads the response and disconnects after `ms`. */
export function sendWithoutReading(baseUrl: string, target: string, ms: number): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const sent = request({ hostname, port, path: target, agent: false }, (response) => {
      response.on('error', () => undefined);
      response.pause();
    });
    const timer = setTimeout(() => sent.destroy(), ms);
    sent.on('error', () => undefined);
    sent.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
    sent.end();
  });
}

// Requests as an attacker sends them: a target that no client library would leave as it is, a body
// without end, an answer that is never read.
import { request } from 'node:http';

const ANSWER_LIMIT_MS = 40_000;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/**
 * @typedef {object} Sent
 * @property {number} status 0 where the connection ended without an answer
 * @property {string} text the first 2,000 characters of the answer
 * @property {number} sentBytes of the body
 */

/**
 * @typedef {object} RequestOptions
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {number} [endlessBytes]
 */

/**
 * Sends a target byte for byte, with a body of so many bytes.
 * @param {string} baseUrl
 * @param {string} target
 * @param {RequestOptions} [options]
 * @returns {Promise<Sent>}
 */
export function sendRaw(baseUrl, target, { method = 'GET', headers = {}, body, endlessBytes = 0 } = {}) {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let sentBytes = 0;
    const end = (/** @type {number} */ status, text = '') => resolve({ status, text, sentBytes });
    const sent = request(
      { hostname, port, path: target, method, headers, agent: false, timeout: ANSWER_LIMIT_MS },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          if (text.length < 2_000) text += chunk;
        });
        response.on('error', () => end(0));
        response.on('end', () => end(response.statusCode ?? 0, text));
      },
    );
    sent.on('error', () => end(0));
    sent.on('timeout', () => sent.destroy());
    if (body !== undefined) sent.write(body);
    const more = () => {
      while (sentBytes < endlessBytes && !sent.destroyed) {
        sentBytes += CHUNK.byteLength;
        if (!sent.write(CHUNK)) return void sent.once('drain', more);
      }
      sent.end();
    };
    more();
  });
}

/**
 * Asks and never reads the answer.
 * @param {string} baseUrl
 * @param {string} target
 * @param {number} ms how long it stays connected
 * @returns {Promise<void>}
 */
export function neverRead(baseUrl, target, ms) {
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

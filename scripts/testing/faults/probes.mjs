// Requests of every kind, sent all the time: what each is answered while the database is away, and how soon.
import { setTimeout as sleep } from 'node:timers/promises';
import { diagnostics } from '../crash/client.mjs';

/** Longer than any answer may take: then it was none. */
const PATIENCE_MS = 45_000;
const PAUSE_MS = 250;
/** Less than any amount of the load, which are told apart. */
export const AMOUNT_USD = 0.0005;
const BOUNDARY = 'part-of-a-form';
const WRONG_KEY = `gw_live_${'x'.repeat(40)}`;

/**
 * @typedef {object} Answered
 * @property {string} kind
 * @property {number} status 0: nothing came
 * @property {number} ms
 * @property {number} at when it was sent
 * @property {string} contentType
 * @property {string | null} retryAfter
 * @property {string} text
 */

/** @typedef {{ path: string, method?: string, body?: unknown, headers?: Record<string, string>, key?: string }} Request */

/** @param {string} key @returns {Record<string, Request>} */
function requestsOf(key) {
  const call = (/** @type {object} */ json) => ({ path: '/v1/tools/call', method: 'POST', key, body: json });
  return {
    free: call({ tool: 'math', skill: 'evaluate', input: { expression: '6 * 7' } }),
    paid: call(diagnostics('spend', { amount_usd: AMOUNT_USD })),
    'a stream': {
      ...call(diagnostics('sleep', { seconds: 0.3 })),
      headers: { accept: 'text/event-stream' },
    },
    'a job': { ...call(diagnostics('background', { seconds: 0.3 })), headers: { prefer: 'wait=0' } },
    balance: { path: '/v1/billing/balance', key },
    usage: { path: '/v1/usage/history?limit=5', key },
    'a wrong key': { path: '/v1/billing/balance', key: WRONG_KEY },
    'a call with a wrong key': {
      ...call({ tool: 'math', skill: 'evaluate', input: { expression: '1' } }),
      key: WRONG_KEY,
    },
    'an upload': {
      path: '/v1/assets/upload',
      method: 'POST',
      key,
      body: `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="small.txt"\r\n\r\nsmall\r\n--${BOUNDARY}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    },
    mcp: {
      path: '/mcp',
      method: 'POST',
      key,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'check_balance', arguments: {} },
      },
      headers: { accept: 'application/json, text/event-stream' },
    },
    page: { path: '/tools', headers: { accept: 'text/html' } },
    'the dashboard': {
      path: '/dashboard',
      headers: { accept: 'text/html', cookie: 'authjs.session-token=none' },
    },
    health: { path: '/healthz' },
  };
}

/** One client of each kind; each waits for its answer before it asks again. */
export class Probes {
  /** @type {Answered[]} */
  answers = [];
  #over = false;
  #work;

  /**
   * @param {string} baseUrl
   * @param {string} key
   */
  constructor(baseUrl, key) {
    const kinds = Object.entries(requestsOf(key));
    this.#work = Promise.all(kinds.map(([kind, request]) => this.#repeat(baseUrl, kind, request)));
  }

  async end() {
    this.#over = true;
    await this.#work;
  }

  /** Those that were sent since then. @param {number} since */
  sentSince(since) {
    return this.answers.filter(({ at }) => at >= since);
  }

  /**
   * @param {string} baseUrl
   * @param {string} kind
   * @param {Request} request
   */
  async #repeat(baseUrl, kind, request) {
    while (!this.#over) {
      this.answers.push(await ask(baseUrl, kind, request));
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * @param {string} baseUrl
 * @param {string} kind
 * @param {Request} request
 * @returns {Promise<Answered>}
 */
async function ask(baseUrl, kind, { path, method = 'GET', body, headers = {}, key }) {
  const at = performance.now();
  const answer = {
    kind,
    at,
    status: 0,
    contentType: '',
    retryAfter: /** @type {string | null} */ (null),
    text: '',
  };
  const json = body !== undefined && typeof body !== 'string';
  try {
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: json ? JSON.stringify(body) : /** @type {string | undefined} */ (body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    answer.status = response.status;
    answer.contentType = response.headers.get('content-type') ?? '';
    answer.retryAfter = response.headers.get('retry-after');
    answer.text = await response.text();
  } catch (error) {
    answer.status = 0;
    answer.text = String(error);
  }
  return { ...answer, ms: performance.now() - at };
}

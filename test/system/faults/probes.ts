// Sends requests of every kind continuously and records each response and its latency while the
// database is unavailable.
import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from '@/test/support/read-events';
import { type CallRequest, diagnostics } from '../fixtures/gateway-client';
import { waitUntil } from '../fixtures/wait-until';

export interface ProbeAnswer {
  kind: string;
  /** 0 if there was no response. */
  status: number;
  ms: number;
  /** Time of sending. */
  at: number;
  contentType: string;
  retryAfter: string | null;
  text: string;
}

interface ProbeRequest {
  path: string;
  method?: string;
  /** Text is sent verbatim, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  key?: string;
}

/** Longer than any response may take; then there was none. */
const PATIENCE_MS = 45_000;
/** Documented: a call whose process is gone ends within this time. */
const END_MS = 120_000;
const PAUSE_MS = 250;
/** Below any amount of the load, so that the amounts of the load stay unique. */
export const AMOUNT_USD = 0.0005;
const BOUNDARY = 'part-of-a-form';
const FINAL_EVENTS = ['result', 'error'];
const WRONG_KEY = `gw_live_${'x'.repeat(40)}`;

/** One client per kind of request, each with one request at a time. */
export class Probes {
  readonly answers: ProbeAnswer[] = [];
  #over = false;
  readonly #kinds: string[];
  readonly #work: Promise<unknown>;

  constructor(baseUrl: string, key: string) {
    const requests = makeRequests(key);
    this.#kinds = Object.keys(requests);
    this.#work = Promise.all(
      Object.entries(requests).map(([kind, request]) => this.#repeat(baseUrl, kind, request)),
    );
  }

  async waitForEachKind(): Promise<void> {
    await waitUntil('each kind of request got a response', () =>
      this.#kinds.every((kind) => this.answers.some((answer) => answer.kind === kind)),
    );
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#work;
  }

  async #repeat(baseUrl: string, kind: string, request: ProbeRequest): Promise<void> {
    while (!this.#over) {
      this.answers.push(await sendProbe(baseUrl, kind, request));
      await sleep(PAUSE_MS);
    }
  }
}

function makeRequests(key: string): Record<string, ProbeRequest> {
  const call = (body: CallRequest): ProbeRequest => ({ path: '/v1/tools/call', method: 'POST', key, body });
  const math = (expression: string) => ({ tool: 'math', skill: 'evaluate', input: { expression } });
  return {
    free: call(math('6 * 7')),
    paid: call(diagnostics('spend', { amount_usd: AMOUNT_USD })),
    'a stream': {
      ...call(diagnostics('sleep', { seconds: 0.3 })),
      headers: { accept: 'text/event-stream' },
    },
    'a job': { ...call(diagnostics('background', { seconds: 0.3 })), headers: { prefer: 'wait=0' } },
    balance: { path: '/v1/billing/balance', key },
    usage: { path: '/v1/usage/history?limit=5', key },
    'a wrong key': { path: '/v1/billing/balance', key: WRONG_KEY },
    'a call with a wrong key': { ...call(math('1')), key: WRONG_KEY },
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

async function sendProbe(baseUrl: string, kind: string, request: ProbeRequest): Promise<ProbeAnswer> {
  const { path, method = 'GET', body, headers = {}, key } = request;
  const at = performance.now();
  const answer: ProbeAnswer = { kind, at, ms: 0, status: 0, contentType: '', retryAfter: null, text: '' };
  const isText = typeof body === 'string';
  try {
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isText ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    answer.contentType = response.headers.get('content-type') ?? '';
    answer.retryAfter = response.headers.get('retry-after');
    answer.text = await response.text();
    answer.status = response.status;
  } catch (error) {
    answer.text = String(error);
  }
  answer.ms = performance.now() - at;
  if (answer.status === 200 && answer.contentType.startsWith('text/event-stream'))
    answer.text += await resumeStream(answer.text, key);
  return answer;
}

/**
 * Continues a stream that broke off, as the guide describes, until its last event or the deadline.
 * @returns the events that were missing
 */
async function resumeStream(text: string, key: string | undefined): Promise<string> {
  const deadline = performance.now() + END_MS;
  const eventsUrl = readEvents(text).find(({ event }) => event === 'started')?.data.events_url;
  let missing = '';
  for (;;) {
    const last = readEvents(text + missing).at(-1);
    if (!eventsUrl || !last || FINAL_EVENTS.includes(last.event) || performance.now() > deadline)
      return missing;
    const response = await fetch(eventsUrl, {
      headers: { authorization: `Bearer ${key}`, 'last-event-id': last.id },
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => null);
    // A cut answer counts as none: the events of the next one start at the same place.
    if (response?.status === 200) missing += await response.text().catch(() => '');
    else await response?.body?.cancel();
    await sleep(PAUSE_MS);
  }
}

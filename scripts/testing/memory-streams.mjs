// What a thousand open streams and uploads beside them leave behind in the gateway's memory: nothing.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const STREAMS = 1000;
const UPLOADS = 16;
const UPLOAD_BYTES = 8 * 1024 * 1024;
/** The streams' calls end by themselves while they are open. */
const STREAM_SECONDS = 8;
/** After the same load: a heap grows to what its work takes once, what counts is that it stays so. */
const WARM_SETTLE_MS = 5_000;
/** A heap shrinks some seconds after its work has ended. */
const SETTLE_MS = 30_000;
const LOOK_MS = 500;
const MOST_SHARE = 1.2;
const BOUNDARY = 'memory-test-streams';

/**
 * @param {import('./gateway.mjs').TestGateway} gateway with room for as many calls of one key
 * @param {(pid: number) => number} residentBytes
 * @returns {Promise<{ idle: number, peak: number, after: number, most: number, wrong: string[] }>}
 */
export async function runStreams(gateway, residentBytes) {
  const made = await gateway.admin('account', 'create', '--email', 'streams@test.test', '--credit-usd', '0');
  const load = () => openAll(gateway.baseUrl, made.api_key, STREAMS, UPLOADS);
  const wrong = await load();
  await sleep(WARM_SETTLE_MS);
  const idle = residentBytes(gateway.pid);
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(gateway.pid));
  }, LOOK_MS);
  wrong.push(...(await load()));
  clearInterval(timer);
  const most = idle * MOST_SHARE;
  let after = residentBytes(gateway.pid);
  for (const end = performance.now() + SETTLE_MS; after > most && performance.now() < end; ) {
    await sleep(LOOK_MS);
    after = Math.min(after, residentBytes(gateway.pid));
  }
  return { idle, peak, after, most, wrong };
}

/**
 * @param {string} baseUrl
 * @param {string} key
 * @param {number} streams
 * @param {number} uploads
 * @returns {Promise<string[]>} what was not as it should be
 */
async function openAll(baseUrl, key, streams, uploads) {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  try {
    const ends = await Promise.all([
      ...Array.from({ length: streams }, () => stream(baseUrl, key, agent)),
      ...Array.from({ length: uploads }, () => upload(baseUrl, key, agent)),
    ]);
    return [...new Set(ends.filter((end) => end !== ''))];
  } finally {
    agent.destroy();
  }
}

/** @returns {Promise<string>} empty where its result came */
async function stream(/** @type {string} */ baseUrl, /** @type {string} */ key, /** @type {Agent} */ agent) {
  const body = JSON.stringify({ tool: 'diagnostics', skill: 'sleep', input: { seconds: STREAM_SECONDS } });
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const text = await send(`${baseUrl}/v1/tools/call`, key, agent, headers, body);
  return text.includes('event: result') ? '' : `a stream ended with ${text.slice(-300)}`;
}

/** @returns {Promise<string>} empty where it was kept whole */
async function upload(/** @type {string} */ baseUrl, /** @type {string} */ key, /** @type {Agent} */ agent) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="some.bin"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    randomBytes(UPLOAD_BYTES),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const text = await send(`${baseUrl}/v1/assets/upload`, key, agent, headers, body);
  return text.includes(`"size_bytes":${UPLOAD_BYTES}`) ? '' : `an upload was answered ${text.slice(0, 300)}`;
}

/**
 * @param {string} url
 * @param {string} key
 * @param {Agent} agent
 * @param {Record<string, string>} headers
 * @param {string | Buffer} body
 * @returns {Promise<string>}
 */
function send(url, key, agent, headers, body) {
  return new Promise((resolve) => {
    const length = Buffer.byteLength(body);
    const asked = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { ...headers, authorization: `Bearer ${key}`, 'content-length': length },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => (text += chunk));
        response.once('close', () => resolve(text));
      },
    );
    asked.once('error', (error) => resolve(String(error)));
    asked.end(body);
  });
}

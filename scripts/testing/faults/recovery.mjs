// Whether a gateway whose database is back works again: calls, notices, cancelling, the queue. Each must, within a bound.
import { setTimeout as sleep } from 'node:timers/promises';
import { diagnostics, send } from '../crash/client.mjs';
import { AMOUNT_USD } from './probes.mjs';

const BOUND_MS = 15_000;
const POLL_MS = 100;
/** A poll that is told of the end, and does not find it by looking again, which takes ten seconds. */
const TOLD_MS = 4_000;

/**
 * @param {{ baseUrl: string }} gateway
 * @param {string} key
 * @returns {Promise<{ problems: string[], ms: number }>} how long until all was well
 */
export async function recover({ baseUrl }, key) {
  const begun = performance.now();
  const problems = [];
  for (const [what, works] of Object.entries(WORKS)) {
    let well = false;
    while (!well && performance.now() - begun < BOUND_MS) {
      well = await works(baseUrl, key);
      if (!well) await sleep(POLL_MS);
    }
    if (!well) problems.push(`${what}: not within ${BOUND_MS / 1000} s`);
  }
  return { problems, ms: performance.now() - begun };
}

/** @type {Record<string, (baseUrl: string, key: string) => Promise<boolean>>} */
const WORKS = {
  'a paid call': async (baseUrl, key) =>
    (await call(baseUrl, key, diagnostics('spend', { amount_usd: AMOUNT_USD }))).status === 200,
  'a queued call, and a poll that is told of its end': async (baseUrl, key) => {
    const { status, body } = await call(baseUrl, key, diagnostics('background', { seconds: 0.5 }), 0);
    if (status !== 202) return false;
    const begun = performance.now();
    const end = await send(`${baseUrl}/v1/jobs/${body.job_id}`, key, 'GET', {
      headers: { prefer: 'wait=20' },
    });
    return end.body?.status === 'completed' && performance.now() - begun < TOLD_MS;
  },
  'a cancel, and a poll that is told of it': async (baseUrl, key) => {
    const { status, body } = await call(baseUrl, key, diagnostics('sleep', { seconds: 30 }), 0);
    if (status !== 202) return false;
    const job = `${baseUrl}/v1/jobs/${body.job_id}`;
    const poll = send(job, key, 'GET', { headers: { prefer: 'wait=20' } });
    const begun = performance.now();
    const cancelled = await send(`${job}/cancel`, key, 'POST', { json: {} });
    const seen = await poll;
    return (
      cancelled.status === 200 && seen.body?.status === 'cancelled' && performance.now() - begun < TOLD_MS
    );
  },
};

/** @param {string} baseUrl @param {string} key @param {object} json @param {number} [wait] */
function call(baseUrl, key, json, wait) {
  const headers = /** @type {Record<string, string>} */ (
    wait === undefined ? {} : { prefer: `wait=${wait}` }
  );
  return send(`${baseUrl}/v1/tools/call`, key, 'POST', {
    json,
    headers,
    signal: AbortSignal.timeout(BOUND_MS),
  });
}

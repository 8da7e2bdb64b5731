// Checks that a gateway recovers with its database: calls, notifications, cancellation, the queue.
import { diagnostics, send } from '../fixtures/gateway-client';
import { cancelJob, getJob } from '../fixtures/jobs';
import { waitUntil } from '../fixtures/wait-until';
import { AMOUNT_USD } from './probes';

const RETRY_MS = 100;
/** A request that hangs is retried after this. */
const REQUEST_MS = 60_000;
/** Polls recheck after 5 to 10 s, so within this wait only a notification can end a poll. */
const WAIT_SECONDS = 4;

interface Gateway {
  baseUrl: string;
}

const WORKS: Record<string, (gateway: Gateway, key: string) => Promise<boolean>> = {
  async 'a paid call'(gateway, key) {
    return (await call(gateway, key, 'spend', { amount_usd: AMOUNT_USD })).status === 200;
  },

  async 'a queued call whose end is notified to a waiting poll'(gateway, key) {
    const { status, body } = await call(gateway, key, 'background', { seconds: 0.5 }, { prefer: 'wait=0' });
    if (status !== 202) return false;
    const poll = await pollUntilNotice(gateway, key, body.job_id ?? '');
    return poll.status === 'completed' && poll.noticed;
  },

  async 'a cancellation that is notified to a waiting poll'(gateway, key) {
    const { status, body } = await call(gateway, key, 'sleep', { seconds: 30 }, { prefer: 'wait=0' });
    if (status !== 202) return false;
    const id = body.job_id ?? '';
    const waiting = pollUntilNotice(gateway, key, id);
    const cancelled = await cancelJob(gateway.baseUrl, key, id);
    const poll = await waiting;
    return cancelled.status === 200 && poll.status === 'cancelled' && poll.noticed;
  },
};

/**
 * Waits until everything works again.
 * @returns what did not recover
 */
export async function findBroken(gateway: Gateway, key: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [what, works] of Object.entries(WORKS))
    await waitUntil(what, () => works(gateway, key), { intervalMs: RETRY_MS }).catch((error) =>
      problems.push(String(error)),
    );
  return problems;
}

async function pollUntilNotice({ baseUrl }: Gateway, key: string, id: string) {
  const started = performance.now();
  const { body } = await getJob(baseUrl, key, id, WAIT_SECONDS);
  return { status: body.status, noticed: performance.now() - started < WAIT_SECONDS * 1000 };
}

async function call(
  { baseUrl }: Gateway,
  key: string,
  skill: string,
  input: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  return await send(`${baseUrl}/v1/tools/call`, key, 'POST', {
    json: diagnostics(skill, input),
    headers,
    signal: AbortSignal.timeout(REQUEST_MS),
  });
}

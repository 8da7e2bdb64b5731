import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from '../../test/system/fixtures/gateway';
import { startHelper } from '../processes';
import { PollClient } from './poll-client.mjs';
import { getText, type Timed, timed } from './timing';

const MEASURED = 300;
const JOB_SECONDS = 0.4;
/** Measured jobs that run at once. */
const AT_ONCE = 4;
const LONG_SECONDS = 300;
/** "a poll answered within 10 ms p99 of completion with 1,000 waiting" */
const MOST_MS = 10;
/**
 * A poll sent later than this before the end is not counted: it would measure its own way there.
 */
const SENT_BEFORE_MS = 100;
/** Maximum share of such polls; with more the measurement is invalid. */
const MOST_LATE_SENT = 0.2;
const GATHERED_MS = 120_000;

/** A little below the gateway's limit of waiting requests per account and process. */
const WAITING_PER_ACCOUNT = 100;

/** Measures the delay from a job's end to the response of its poll, with other pollers waiting. */
export async function measurePolls(gateway: TestGateway, waiting: number, root: string): Promise<Timed[]> {
  const account = async (name: string): Promise<string> => {
    const { api_key: key } = await gateway.admin('account', 'create', '--email', `${name}@example.test`);
    return key;
  };
  const keys: string[] = [];
  for (let n = 0; n < Math.ceil(waiting / WAITING_PER_ACCOUNT); n++) keys.push(await account(`polls-${n}`));
  const measured = new PollClient(gateway.baseUrl, await account('polls-measured'));
  const crowd = await startHelper(join(root, 'bench/reads/crowd.mjs'), {});
  try {
    const perKey = Math.ceil(waiting / Math.max(1, keys.length));
    await crowd.request('gather', { base: gateway.baseUrl, keys, perKey, seconds: LONG_SECONDS });
    await untilWaiting(gateway, waiting);
    const late: number[] = [];
    let lateSent = 0;
    const lane = async () => {
      while (late.length < MEASURED) {
        const found = await lateness(measured);
        if (found !== null) late.push(found);
        else if (++lateSent > MEASURED * MOST_LATE_SENT) throw new Error('Polls were sent too late to wait');
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    process.stderr.write(`${lateSent} polls were not counted: sent when their job was about to end\n`);
    return [timed(`poll of a job, after its end, with ${waiting} other waiting polls`, late, MOST_MS)];
  } finally {
    measured.close();
    await crowd.stop();
  }
}

/** Waits until that many requests wait, according to the gateway's metrics. */
async function untilWaiting(gateway: TestGateway, waiting: number): Promise<void> {
  for (const end = performance.now() + GATHERED_MS; performance.now() < end; await sleep(200)) {
    const metrics = await getText(`${gateway.baseUrl}/metrics`);
    if (Number(/^gateway_waiting_requests (\d+)/m.exec(metrics)?.[1]) >= waiting) return;
  }
  throw new Error('The polls do not wait');
}

/**
 * Milliseconds from the job's end (database time) to its response; null if the poll came too late.
 */
async function lateness(client: PollClient): Promise<number | null> {
  const now = () => performance.timeOrigin + performance.now();
  const id = await client.begin(JOB_SECONDS);
  const sent = now();
  const text = await client.poll(id);
  const answered = now();
  const job = JSON.parse(text);
  if (job.status !== 'completed') throw new Error(`The job is ${job.status}`);
  const ended = Date.parse(job.finished_at);
  return ended - sent < SENT_BEFORE_MS ? null : answered - ended;
}

// The three processes of compose.yaml share limits and jobs.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from './fixtures/accounts';
import { diagnostics, send } from './fixtures/gateway-client';
import { cancelJob, getJob, startJob, waitForJob, waitForLines } from './fixtures/jobs';
import { testProcessPair } from './fixtures/process-pair-suite';
import { saveResult } from './fixtures/test-results';
import { WITHOUT_RECHECKS } from './fixtures/without-rechecks';
import { Cluster } from './scale/cluster';

/** Time limit for a request that hangs. */
const REQUEST_MS = 120_000;

describe('two web processes and a worker', () => {
  let cluster: Cluster;
  let first = '';
  let second = '';
  let owner = '';
  let victim = '';

  beforeAll(async () => {
    cluster = await Cluster.start(WITHOUT_RECHECKS, { 'web-2': { WAIT_SECONDS: '0.5' } });
    [first = '', second = ''] = cluster.webs.map(({ baseUrl }) => baseUrl);
    [owner = '', victim = ''] = (await createAccount(cluster, 'scale', { keys: 2, creditUsd: 5 })).keys;
  });

  afterAll(async () => {
    saveResult('scale/scale.log', cluster.log());
    await cluster.stop();
  });

  testProcessPair(() => ({
    first: { baseUrl: first, admin: cluster.admin },
    second: { baseUrl: second, admin: cluster.admin },
    sql: cluster.sql,
  }));

  test('a key revoked through one process is rejected by every process', async () => {
    const call = async (url: string) =>
      await send(`${url}/v1/tools/call`, victim, 'POST', { json: diagnostics('echo', { message: 1 }) });
    // Fill the key cache of every process.
    for (const url of [first, second]) expect((await call(url)).status).toBe(200);
    const list = await send<{ keys: { id: string; key_prefix: string }[] }>(`${first}/v1/keys`, owner, 'GET');
    const row = list.body.keys?.find(
      ({ key_prefix: prefix }) => victim.startsWith(prefix.slice(0, 12)) && victim.endsWith(prefix.slice(-4)),
    );
    const revoked = await send(`${first}/v1/keys/${row?.id}`, owner, 'DELETE');
    expect(revoked.status).toBe(200);
    for (const url of [second, first]) expect((await call(url)).status).toBe(401);
  });

  test('the worker runs a call queued by one web process, and the other returns its result', async () => {
    const queued = await send(`${first}/v1/tools/call`, owner, 'POST', {
      json: diagnostics('background', { seconds: 0.5, steps: 3 }),
      headers: { prefer: 'wait=0' },
    });
    expect([queued.status, queued.body.status]).toEqual([202, 'pending']);
    const job = await waitForJob(second, owner, queued.body.job_id ?? '');
    expect([job.status, job.result?.output?.steps_done]).toEqual(['completed', 3]);
  });

  test('a job of the worker can be cancelled through one web process, and the other returns it', async () => {
    const id = await startJob(first, owner, diagnostics('background', { seconds: 120, steps: 100 }));
    await waitForLines(second, owner, id, 1);
    const waiting = getJob(first, owner, id, 30);
    const cancelled = await cancelJob(second, owner, id);
    expect(cancelled.body.cancelled).toBe(true);
    const { body: ended } = await waiting;
    expect(ended.status).toBe('cancelled');
    // By the time another job has written four lines, the cancelled one would have written more.
    const other = await startJob(first, owner, diagnostics('background', { seconds: 60, steps: 100 }));
    await waitForLines(second, owner, other, 4);
    await cancelJob(second, owner, other);
    expect((await getJob(first, owner, id)).body.logs).toEqual(ended.logs);
  });

  test('an open page of one process shows changes made by the other', async () => {
    const token = randomBytes(32).toString('hex');
    const hash = createHash('sha256').update(token).digest('hex');
    await cluster.sql`
      insert into sessions (session_token, user_id, expires)
      select ${hash}, id, now() + interval '1 hour' from users where email = 'scale@system.test'`;
    const over = new AbortController();
    const response = await fetch(`${second}/api/live`, {
      headers: { cookie: `next-auth.session-token=${token}` },
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    expect(response.status).toBe(200);
    await send(`${first}/v1/tools/call`, owner, 'POST', {
      json: diagnostics('spend', { amount_usd: 0.001 }),
    });
    expect(await readChangedNames(response)).not.toEqual([]);
    over.abort();
  });
});

/** Returns the names in the first change event. */
async function readChangedNames(response: Response): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const names = /"names":\[([^\]]*"[a-z]+[^\]]*)\]/.exec(text)?.[1];
    if (names) return names.split(',');
  }
  return [];
}

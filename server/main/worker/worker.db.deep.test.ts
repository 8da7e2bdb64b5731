import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

const SLOW = { timeout: 120_000, interval: 250 };
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', env: { JOBS: 'external', WAIT_SECONDS: '0.2' } });
});
afterAll(() => harness.close());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs `npm run worker` on the database of the test harness. */
async function startWorker() {
  const port = await freePort();
  const { databaseUrl, dataDir, authSecret, vaultKey, claimSecret } = harness.runtime.settings;
  const child = spawn(process.execPath, ['scripts/worker.mjs'], {
    cwd: ROOT,
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      AUTH_SECRET: authSecret,
      VAULT_KEY: vaultKey,
      CLAIM_SECRET: claimSecret,
      ACCESS_LOG: 'on',
      WORKER_PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  return { child, exited, ask, text: () => text };
}

it('becomes not ready on a stop signal, completes its call, and exits 0', {
  timeout: 300_000,
}, async () => {
  const worker = await startWorker();
  try {
    await vi.waitFor(async () => expect((await worker.ask('/readyz')).status).toBe(200), SLOW);
    const { key } = await harness.person(1_000_000n);
    const queued = await harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'diagnostics', skill: 'background', input: { seconds: 6, steps: 3 } },
    });
    expect(queued.status).toBe(202);
    const job = async () => (await harness.request('GET', `/v1/jobs/${queued.body.job_id}`, { key })).body;
    await vi.waitFor(async () => expect((await job()).status).toBe('running'), SLOW);

    worker.child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await worker.ask('/readyz')).status).toBe(503), {
      ...SLOW,
      interval: 50,
    });
    expect((await worker.ask('/healthz')).status).toBe(200);
    expect(await worker.exited).toBe(0);
    expect(await job()).toMatchObject({ status: 'completed' });
    const requests = worker
      .text()
      .split('\n')
      .filter((line) => line.includes('"message":"request"'));
    // Probes are logged at the most verbose level.
    expect(requests).toEqual([]);
  } finally {
    worker.child.kill('SIGKILL');
  }
});

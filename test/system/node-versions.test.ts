// `npm run test:versions`: runs the built gateway on the oldest and the newest version of each
// range of `engines.node`. Writes test-results/versions.md.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type InstalledCli, installCli } from '../../clients/cli/src/testing/install-cli';
import { startGateway, type TestGateway } from './fixtures/gateway';
import { type CallRequest, diagnostics, send } from './fixtures/gateway-client';
import { startJob, waitForJob } from './fixtures/jobs';
import { fetchNode, listSupportedVersions } from './fixtures/node-versions';
import { runNode } from './fixtures/processes';
import { saveResult } from './fixtures/test-results';

const MEAN: CallRequest = { tool: 'math', skill: 'statistics', input: { values: [1, 2, 6] } };
const WORDS: CallRequest = { tool: 'text', skill: 'stats', input: { text: 'To be, or not to be.' } };
/** Lines of a log that a version of Node must not cause. */
const COMPLAINT = /Warning:|"level":"(warn|error|fatal)"/;

const versions = await listSupportedVersions();
const rows: string[] = [];

let cli: InstalledCli;
beforeAll(async () => {
  cli = await installCli();
});
afterAll(async () => {
  await cli.remove();
  const table = [
    '| Node | start | calls, CLI, page, stream, job | stop |',
    '| --- | --- | --- | --- |',
    ...rows,
  ];
  saveResult('versions.md', `${table.join('\n')}\n`);
  console.log(table.join('\n'));
});

describe.each(versions)('on Node %s', (version) => {
  const seconds: string[] = [];
  let node = '';
  beforeAll(async () => {
    node = await fetchNode(version);
  });

  it('npm start serves calls, a page, a stream and a job, and stops on SIGTERM', async () => {
    const passed = { start: 'failed', work: '–', stop: '–' };
    onTestFinished(() => {
      rows.push(`| ${version} | ${passed.start} | ${passed.work} | ${passed.stop} |`);
    });
    const gateway = await timed(() => startGateway({}, 'scripts/start.mjs', node));
    passed.start = seconds.pop() ?? '';
    const stop = once(() => gateway.stop());
    onTestFinished(() => void stop());
    passed.work = 'failed';
    await timed(async () => {
      await callWithNewKey(gateway);
      await callFromCommandLine(gateway, node);
      await signIn(gateway);
      await workWithCredit(gateway, node);
    });
    passed.work = seconds.pop() ?? '';
    passed.stop = 'failed';
    expect(await timed(stop)).toBe(0);
    passed.stop = seconds.pop() ?? '';
    saveResult(`versions-${version}.log`, gateway.log());
    expect(
      gateway
        .log()
        .split('\n')
        .filter((line) => COMPLAINT.test(line)),
    ).toEqual([]);
  });

  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    seconds.push(`${((performance.now() - began) / 1000).toFixed(1)} s`);
    return result;
  }
});

/** The first call of the README: a key without signing up, and a free call. */
async function callWithNewKey({ baseUrl }: TestGateway): Promise<void> {
  const provisioned = await send<{ api_key: string }>(`${baseUrl}/v1/auth/provision`, '', 'POST');
  expect(provisioned.status).toBe(201);
  const call = await send(`${baseUrl}/v1/tools/call`, provisioned.body.api_key ?? '', 'POST', {
    json: WORDS,
  });
  expect(call).toMatchObject({ status: 200, body: { output: { words: 6 } } });
}

async function callFromCommandLine({ baseUrl, env }: TestGateway, node: string): Promise<void> {
  const words = ['call', 'text', 'stats', '--text', 'To be, or not to be.'];
  const called = await runNode([cli.bin, ...words, '--base-url', baseUrl, '--json'], {
    node,
    env: { ...env, HOME: env.DATA_DIR, XDG_CONFIG_HOME: env.DATA_DIR },
  });
  expect(called).toMatchObject({ code: 0, stdout: expect.stringMatching(/"words": ?6/) });
}

/** Signs in by the link of the first start, and opens the dashboard. */
async function signIn({ baseUrl, log }: TestGateway): Promise<void> {
  const link = new URL(/^ {2}Sign in +(\S+)$/m.exec(log())?.[1] ?? '');
  const confirm = await fetch(link);
  expect(confirm.status).toBe(200);
  const signedIn = await fetch(`${baseUrl}/api/auth/callback/email${link.search}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: baseUrl, 'content-type': 'application/x-www-form-urlencoded' },
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const dashboard = await fetch(`${baseUrl}/dashboard`, { headers: { cookie }, redirect: 'manual' });
  expect(dashboard.status).toBe(200);
  expect(await dashboard.text()).toContain(link.searchParams.get('email') ?? 'no email');
}

/** A call of a worker, a stream and a job, paid by credit that the admin CLI grants. */
async function workWithCredit({ baseUrl, env }: TestGateway, node: string): Promise<void> {
  const command = ['scripts/admin.mjs', 'account', 'create', '--email', 'versions@system.test'];
  const created = await runNode([...command, '--credit-usd', '1', '--json'], { node, env });
  expect(created).toMatchObject({ code: 0 });
  const { api_key: key } = z.object({ api_key: z.string() }).parse(JSON.parse(created.stdout));
  const statistics = await send(`${baseUrl}/v1/tools/call`, key, 'POST', { json: MEAN });
  expect(statistics).toMatchObject({ status: 200, body: { output: { mean: 3 } } });
  const stream = await send(`${baseUrl}/v1/tools/call`, key, 'POST', {
    json: diagnostics('sleep', { seconds: 0.1 }),
    headers: { accept: 'text/event-stream' },
  });
  expect(stream).toMatchObject({ status: 200 });
  expect(stream.events.at(-1)?.event).toBe('result');
  const job = await waitForJob(baseUrl, key, await startJob(baseUrl, key, MEAN));
  expect(job).toMatchObject({ status: 'completed' });
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

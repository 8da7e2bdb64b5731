// Executes the Dockerfile without Docker in an empty folder and runs the image like a container.
// `DOCKERFILE_FULL=1` also installs and builds; otherwise it uses those of this checkout.
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres } from '../../server/main/boot/embedded-postgres/start-postgres';
import { buildImage, type Image } from './dockerfile/build-image';
import { checkHealth, type RunningImage, runImage, waitUntilHealthy } from './dockerfile/run-image';
import { requireBuild } from './fixtures/gateway';
import { reapFolderLater, stopProcess } from './fixtures/processes';
import { removeTestFolder } from './fixtures/test-folder.mjs';
import { saveResult } from './fixtures/test-results';

const FULL = process.env.DOCKERFILE_FULL === '1';
const SCENARIO_LIMIT_MS = FULL ? 1_800_000 : 300_000;
const UID = 10_001;

let scratch: string;
let database: Awaited<ReturnType<typeof startPostgres>> | undefined;
let image: Image;
let running: RunningImage | undefined;
let key: string;

beforeAll(async () => {
  if (!FULL) requireBuild();
  scratch = mkdtempSync(join(tmpdir(), 'gateway-image-'));
  reapFolderLater(scratch);
  chmodSync(scratch, 0o755);
  image = await buildImage({ scratch, full: FULL });
  const dataDir = join(scratch, 'database');
  mkdirSync(dataDir);
  database = await startPostgres({ dataDir });
  running = await runImage(image, scratch, database.url);
  await waitUntilHealthy(running);
}, SCENARIO_LIMIT_MS);

afterAll(async () => {
  if (running) {
    saveResult('dockerfile/gateway.log', running.log());
    await stopProcess(running.child);
  }
  await database?.stop();
  await removeTestFolder(scratch);
});

test('the image runs its command as a non-root user', () => {
  expect(image.user).toBe(UID);
});

test('it starts on read-only files, and /healthz responds', async () => {
  expect((await get('/healthz')).status).toBe(200);
});

test('its HEALTHCHECK reports a healthy container', async () => {
  // Docker repeats it, too: a gateway that serves may not be ready yet.
  await expect.poll(() => checkHealth(image, started()), { timeout: 60_000, interval: 1_000 }).toBe(0);
});

test('it serves pages', async () => {
  const page = await get('/tools');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('</html>');
});

test('it serves the guides', async () => {
  const guides = await get('/llms-full.txt');
  expect(guides.status).toBe(200);
  expect((await guides.text()).length).toBeGreaterThan(10_000);
});

test('it provisions a key and runs a call', async () => {
  const provisioned = await fetch(`${started().baseUrl}/v1/auth/provision`, { method: 'POST' });
  key = (await provisioned.json()).api_key;
  const answer = await call('diagnostics', 'echo', { message: 'hi' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ output: { message: 'hi' } });
});

test('a tool that runs in a worker process works', async () => {
  expect((await call('math', 'evaluate', { expression: '6 * 7' })).status).toBe(200);
});

test('it shuts down gracefully', async () => {
  const { child } = started();
  await stopProcess(child);
  expect(child.exitCode).toBe(0);
});

function started(): RunningImage {
  if (!running) throw new Error('The image was not started');
  return running;
}

function get(path: string): Promise<Response> {
  return fetch(started().baseUrl + path);
}

function call(tool: string, skill: string, input: object): Promise<Response> {
  return fetch(`${started().baseUrl}/v1/tools/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool, skill, input }),
  });
}

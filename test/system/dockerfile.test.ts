// Executes the Dockerfile without Docker, in an empty folder, and uses the image as a container
// would. `DOCKERFILE_FULL=1` installs and builds too; without, those of this checkout are used.
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

test('the command of the image is run by a user who is not root', () => {
  expect(image.user).toBe(UID);
});

test('it starts with read-only files, and /healthz answers', async () => {
  expect((await get('/healthz')).status).toBe(200);
});

test('its HEALTHCHECK reports that it is healthy', async () => {
  expect(await checkHealth(image, started())).toBe(0);
});

test('a page is shown', async () => {
  const page = await get('/tools');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('</html>');
});

test('the guides are there', async () => {
  const guides = await get('/llms-full.txt');
  expect(guides.status).toBe(200);
  expect((await guides.text()).length).toBeGreaterThan(10_000);
});

test('a key is created and a call answered', async () => {
  const provisioned = await fetch(`${started().baseUrl}/v1/auth/provision`, { method: 'POST' });
  key = (await provisioned.json()).api_key;
  const answer = await call('diagnostics', 'echo', { message: 'hi' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ output: { message: 'hi' } });
});

test('a tool that computes in a process of its own works', async () => {
  expect((await call('math', 'evaluate', { expression: '6 * 7' })).status).toBe(200);
});

test('it shuts down in order', async () => {
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

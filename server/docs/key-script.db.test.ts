import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readGuide } from './testing/documents';
import { parseExamples } from './testing/examples';

// The script with which skill.md lets an agent find or create its key, run as agents do.

let harness: Harness;
let home: string;
let script: string;
beforeAll(async () => {
  harness = await startHarness({ listen: true, env: { PROVISION_PER_HOUR: '2' } });
  const guide = await readGuide('docs/agents/skill.md', harness.baseUrl);
  script = parseExamples(guide).find(({ code }) => code.includes('/v1/auth/provision'))?.code ?? '';
});
afterAll(() => harness.close());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gateway-key-script-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const file = () => join(home, 'tool-gateway/credentials.json');
const readKeys = async () => JSON.parse(await readFile(file(), 'utf8'));

/** Runs the script and returns the key that it exports. */
async function run(env: Record<string, string> = {}): Promise<{ key: string; said: string }> {
  const { stdout, stderr } = await promisify(execFile)(
    'sh',
    ['-c', `${script}\nprintf %s "$TOOL_GATEWAY_KEY"`],
    {
      env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, ...env },
    },
  );
  return { key: stdout, said: stderr };
}

it('creates one key, in the file of the command line client, and finds it again', async () => {
  const { key } = await run();
  expect(key).toMatch(/^tg_live_/);
  const entry = { api_key: key, claim_url: expect.stringContaining('/claim'), saved_at: expect.any(String) };
  expect(await readKeys()).toEqual({ base_url: harness.baseUrl, keys: { [harness.baseUrl]: entry } });
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect((await run()).key).toBe(key);
  // As the command line client formats it, after another gateway.
  const other = { 'https://other.example': { api_key: 'tg_live_other', saved_at: '' } };
  const { keys } = await readKeys();
  await writeFile(file(), JSON.stringify({ keys: { ...other, ...keys } }, null, 2));
  expect((await run()).key).toBe(key);
  expect((await run({ TOOL_GATEWAY_KEY: 'tg_live_mine' })).key).toBe('tg_live_mine');
});

it('adds its key to those of other gateways, and saves no error', async () => {
  const other = { 'https://other.example': { api_key: 'tg_live_other', saved_at: '' } };
  await mkdir(join(home, 'tool-gateway'));
  await writeFile(file(), JSON.stringify({ base_url: 'https://other.example', keys: other }, null, 2));
  const { key } = await run();
  expect(await readKeys()).toMatchObject({
    base_url: 'https://other.example',
    keys: { ...other, [harness.baseUrl]: { api_key: key } },
  });

  await rm(file());
  const refused = await run();
  expect(refused.key).toBe('');
  expect(refused.said).toContain('RATE_LIMIT_EXCEEDED');
  await expect(readKeys()).rejects.toThrow('ENOENT');
});

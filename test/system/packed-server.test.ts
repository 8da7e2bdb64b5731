// Packs the server, installs it into an empty folder and runs it there, without the checkout.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireBuild } from './fixtures/gateway';
import { reapFolderLater, reapLater, stopProcess } from './fixtures/processes';
import { removeTestFolder } from './fixtures/test-folder.mjs';
import { saveResult } from './fixtures/test-results';
import { copyAsLaterRelease, installServer, measure, packServer } from './packed-server/install';

const PROGRAM = 'node_modules/.bin/tool-gateway-server';
const MAX_PACKAGES = 350;
const MAX_MIB = 450;
const START_MS = 120_000;
const INSTALL_MS = 600_000;
const isRoot = process.getuid?.() === 0;
/** PostgreSQL runs only as a user with a name. */
const NOBODY = 65_534;
/** The owner of the installation, and an ordinary user who may only read it. */
const USERS: [string, number | undefined][] = isRoot
  ? [
      ['root', undefined],
      ['an ordinary user', NOBODY],
    ]
  : [['this user', undefined]];

let scratch: string;
let installed: string;
const rows: string[] = [];

beforeAll(() => {
  requireBuild();
  scratch = mkdtempSync(join(tmpdir(), 'gateway-packed-'));
  reapFolderLater(scratch);
  chmodSync(scratch, 0o755);
  const tarball = packServer(scratch);
  installed = join(scratch, 'installed');
  const started = performance.now();
  installServer(tarball, installed);
  rows.push(`installed in ${seconds(started)} s`);
}, INSTALL_MS);

afterAll(async () => {
  saveResult('packed-server.md', `${rows.join('\n')}\n`);
  await removeTestFolder(scratch);
});

it('an installation is small', () => {
  const { packages, mib } = measure(installed);
  rows.push(`${packages} packages, ${mib.toFixed(0)} MiB`);
  expect(packages).toBeLessThanOrEqual(MAX_PACKAGES);
  expect(mib).toBeLessThanOrEqual(MAX_MIB);
});

describe.each(USERS)('started by %s in an empty folder', (name, uid) => {
  let folder: string;
  let running: Running;
  let key: string;

  beforeAll(async () => {
    folder = createFolder(`data-${uid ?? 'own'}`, uid);
    running = await timed(`${name}: first start`, () => start({ installed, folder, uid }));
    return async () => {
      await stopProcess(running.child);
    };
  }, START_MS);

  it('serves calls, pages and MCP, and writes only its data folder', async () => {
    key = await provision(running.url);
    expect(await call(running.url, key, 'diagnostics', 'echo', { message: 'hi' })).toMatchObject({
      output: { message: 'hi' },
    });
    // In a confined process, with a package that has native parts. Such tools need credit.
    const paid = createPaidKey(folder, uid);
    expect((await call(running.url, paid, 'codes', 'qr', { content: 'packed', format: 'png' })).status).toBe(
      'success',
    );
    expect(await (await fetch(`${running.url}/tools`)).text()).toContain('</html>');
    expect(await listMcpTools(running.url)).toContain('search_tools');
    expect(readdirSync(folder)).toEqual(['tool-gateway-data']);
  });

  // For root, which starts PostgreSQL as another user, test/system/crash kills the checkout.
  it.runIf(uid === USERS.at(-1)?.[1])('keeps its data over kill -9', async () => {
    await killGroup(running.child);
    running = await timed(`${name}: second start`, () => start({ installed, folder, uid }));
    expect((await call(running.url, key, 'diagnostics', 'echo', { message: 'again' })).status).toBe(
      'success',
    );
  });
});

it('a later release upgrades the data in place, and then an older one refuses it', async () => {
  const [name, uid] = USERS.at(-1) ?? ['', undefined];
  const folder = join(scratch, `data-${uid ?? 'own'}`);
  const later = join(scratch, 'later');
  copyAsLaterRelease(installed, later);
  const upgraded = await timed(`${name}: upgrade`, () => start({ installed: later, folder, uid }));
  await provision(upgraded.url);
  await stopProcess(upgraded.child);
  await expect(start({ installed, folder, uid })).rejects.toThrow(
    /^\s*Version 99\.0\.0 has upgraded the database, and version [\d.]+ cannot use it any more: start 99\.0\.0 or later, or restore a backup from before the upgrade\.\s*$/,
  );
});

interface Running {
  url: string;
  child: ChildProcess;
}

interface StartOptions {
  installed: string;
  folder: string;
  uid: number | undefined;
}

function createFolder(name: string, uid: number | undefined): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  if (uid !== undefined) chownSync(folder, uid, uid);
  return folder;
}

/** Starts the command of the package. @throws with its output if it ends before it is ready */
async function start({ installed: from, folder, uid }: StartOptions): Promise<Running> {
  const child = reapLater(
    spawn(join(from, PROGRAM), [], {
      ...spawnOptions(folder, uid),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const end = performance.now() + START_MS;
  while (child.exitCode === null && performance.now() < end) {
    const [, url] = /Address +(http\S+)/.exec(output) ?? [];
    if (url) return { url, child };
    await sleep(50);
  }
  await stopProcess(child);
  throw new Error(output);
}

/** The supervisor and the gateway at once. */
async function killGroup(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  process.kill(-Number(child.pid), 'SIGKILL');
  await closed;
}

/** Uses the admin CLI of the package, next to the running gateway. */
function createPaidKey(folder: string, uid: number | undefined): string {
  const command = join(installed, PROGRAM);
  const args = ['admin', 'account', 'create', '--email', 'a@example.com', '--credit-usd', '5', '--json'];
  const output = execFileSync(command, args, spawnOptions(folder, uid));
  return JSON.parse(String(output).trim().split('\n').at(-1) ?? '').api_key;
}

function spawnOptions(folder: string, uid: number | undefined) {
  const { PATH } = process.env;
  return {
    cwd: folder,
    env: {
      PATH,
      HOME: folder,
      HOST: '127.0.0.1',
      PORT: '0',
      NODE_ENV: 'production' as const,
      GATEWAY_ENV: 'local',
    },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  };
}

async function provision(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/auth/provision`, { method: 'POST' });
  return (await response.json()).api_key;
}

async function call(url: string, key: string, tool: string, skill: string, input: object) {
  const response = await fetch(`${url}/v1/tools/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool, skill, input }),
  });
  return await response.json();
}

async function listMcpTools(url: string): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return await response.text();
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  rows.push(`${what}: ${seconds(started)} s`);
  return result;
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}

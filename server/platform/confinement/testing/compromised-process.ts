import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runFfmpeg } from '../../../tools/media/run-ffmpeg';
import { createPageBrowser } from '../../ports/browser';
import { connectMcpStdio } from '../../ports/mcp-upstream';
import { OutboundGuard } from '../../ports/outbound-guard';
import { closeWorkers, runInWorker } from '../../workers/cpu-pool';
import { setProgramPaths } from '../../workers/programs';
import { findConfinement, limitConfinement } from '../confinement';
import { hideFiles, shareScratch } from '../folders';
import { buildConfinedCommand, type Layer } from '../layers';
import type * as fixture from '../misbehave.fixture.mjs';
import { importedSandbox } from '../sandboxes';

// What a compromised process can do, for both suites of confinement.

export const FILE = 'server/platform/confinement/misbehave.fixture.mjs';
export const neverAborted = new AbortController().signal;

export let data = '';
export let scratch = '';
export let programs = '';
let envFile = '';
let database: Server;
let connections = 0;
/** Sets up secrets, writable places and a database for a compromised process to attack. */
export function prepareCompromised(): void {
  beforeAll(async () => {
    // In the checkout, like the default data folder, unless another user owns it.
    data = await makeFolder(process.cwd(), '.cache')
      .then((cache) => mkdtemp(join(cache, 'confined-data-')))
      .catch(() => mkdtemp(join(tmpdir(), 'confined-data-')));
    await writeFile(join(data, 'secrets.json'), 'secret of the data folder');
    envFile = join(process.cwd(), `.env.confinement-${process.pid}`);
    await writeFile(envFile, 'SECRET=of the settings').catch(() => undefined);
    scratch = join(data, 'scratch');
    programs = await mkdtemp(join(tmpdir(), 'confined-programs-'));
    hideFiles([data]);
    shareScratch(scratch);
    database = createServer((socket) => {
      connections++;
      socket.on('error', () => undefined).end();
    });
    await new Promise<void>((resolve) => void database.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    closeWorkers();
    limitConfinement();
    used = '';
    setProgramPaths({ ffmpeg: null });
    database.close();
    for (const path of [data, programs, envFile]) await rm(path, { recursive: true, force: true });
  });

  beforeEach(() => {
    connections = 0;
  });
}

export async function makeFolder(...names: string[]): Promise<string> {
  const folder = join(...names);
  await mkdir(folder, { recursive: true });
  return folder;
}

let seesProcesses = false;
let used = '';

/** Confines with one layer only. @returns false if this machine does not support it */
export async function activateLayer(layer: Layer, nodePermissions = true): Promise<boolean> {
  // Probing a layer takes longer than most tests, so do it once.
  const wanted = `${layer} ${nodePermissions}`;
  if (used !== wanted) {
    closeWorkers();
    limitConfinement({ layers: [layer], nodePermissions });
    used = wanted;
  }
  const found = await findConfinement();
  seesProcesses = found.facts.processes;
  return found.layer === layer;
}

/** Turns all confinement off. */
export function deactivateLayers(): void {
  closeWorkers();
  limitConfinement({ layers: [], nodePermissions: false });
  used = 'nothing';
}

const getPort = () => (database.address() as AddressInfo).port;
const secrets = () => [join(data, 'secrets.json'), envFile, join(process.cwd(), 'serve.mjs')];
/** Files that must not be written; the pid keeps them apart from those of an interrupted run. */
const targets = () => [
  join(data, 'written'),
  join(process.cwd(), `server/written-${process.pid}`),
  join(tmpdir(), `written-${process.pid}`),
];
const ownEnvironment = () => readFileSync('/proc/self/environ', 'utf8');
export const written = () => targets().filter((path) => existsSync(path));

export async function misbehaveInWorker() {
  const own = join(scratch, 'own');
  const wishes = { secrets: secrets(), parent: process.pid, port: getPort(), targets: targets(), own };
  return await runInWorker<typeof fixture.misbehave>(FILE, 'misbehave', wishes, { signal: neverAborted });
}

let count = 0;

/** Writes a program that tries the same and saves its findings in files. */
async function writeProgram(report: string): Promise<string> {
  const program = join(await makeFolder(programs, `program-${count++}`), 'program');
  const lines = [
    '#!/bin/sh',
    'case "$1" in -version|--version) exit 0;; esac',
    `out='${report}'`,
    `cat ${secrets().map(quote).join(' ')} > "$out.secrets" 2> /dev/null`,
    `cat /proc/${process.pid}/environ > "$out.environment" 2> /dev/null`,
    'cat /proc/[0-9]*/cmdline 2> /dev/null | tr "\\0" " " > "$out.processes"',
    `bash -c 'echo > /dev/tcp/127.0.0.1/${getPort()}' 2> /dev/null`,
    'kernel=/proc/sys/kernel/core_pattern; value=$(cat $kernel)',
    '( printf %s "$value" > $kernel ) 2> /dev/null && echo written > "$out.kernel" || : > "$out.kernel"',
    ...targets().map((path) => `( echo was here > ${quote(path)} ) 2> /dev/null`),
    'echo done > "$out"',
  ];
  await writeFile(program, lines.join('\n'), { mode: 0o755 });
  return program;
}

export const quote = (path: string) => `'${path}'`;

/** Waits for a program to finish and reads its findings. */
async function readReport(report: string) {
  await vi.waitUntil(() => existsSync(report) && statSync(report).size > 0, { timeout: 20_000 });
  const read = (name: string) => readFileSync(`${report}.${name}`, 'utf8');
  return {
    secrets: read('secrets'),
    environment: read('environment'),
    processes: read('processes'),
    kernel: read('kernel'),
  };
}

export function expectNothing(got: Record<'secrets' | 'environment' | 'processes' | 'kernel', string>) {
  expect(got.kernel).toBe('');
  expect(got.secrets).toBe('');
  expect(got.environment).not.toBe(ownEnvironment());
  if (!seesProcesses) expect(got.processes).not.toContain('vitest');
  expect(written()).toEqual([]);
}

export const isLinux = process.platform === 'linux';

/** Declares the tests of a compromised process confined by one layer. */
export function describeCompromised(layer: Layer): void {
  describe.runIf(isLinux)(`a compromised process confined by ${layer}`, () => {
    beforeEach(async (test) => {
      if (!(await activateLayer(layer))) test.skip(`this machine does not support ${layer}`);
    });

    it('as a worker cannot read the gateway’s secrets, write outside its folder or use the network @F2', async () => {
      // Also without Node's permission model, which an exploit of native code bypasses.
      for (const permissions of [true, false]) {
        await activateLayer(layer, permissions);
        const got = await misbehaveInWorker();
        expectNothing(got);
        expect(got.connected).toBe(false);
        expect(got.own).toBe('was here');
      }
      expect(connections).toBe(0);
    });

    it('as ffmpeg sees only the files of its own call and cannot use the network @F2', async () => {
      const call = await mkdtemp(join(scratch, 'call-'));
      const other = await mkdtemp(join(scratch, 'other-'));
      await writeFile(join(other, 'input'), "another caller's");
      const program = await writeProgram(join(call, 'report'));
      const more = `ls ${quote(scratch)} > ${quote(join(call, 'scratch'))}`;
      await writeFile(program, `${readFileSync(program, 'utf8')}\n${more}`);
      setProgramPaths({ ffmpeg: program });
      await runFfmpeg(['-i', `file:${join(call, 'input')}`], { signal: neverAborted });
      expectNothing(await readReport(join(call, 'report')));
      expect(readFileSync(join(call, 'scratch'), 'utf8').trim()).toBe(call.slice(scratch.length + 1));
      expect(connections).toBe(0);
    });

    it('as the browser cannot read the gateway’s secrets or write outside its folder @F2', async () => {
      const folder = await mkdtemp(join(scratch, 'page-'));
      const program = await writeProgram(join(folder, 'report'));
      const browser = createPageBrowser({
        guard: new OutboundGuard(),
        findProgram: async () => ({ program, env: {} }),
      });
      const output = { kind: 'picture', type: 'png', fullPage: false, quality: 80 } as const;
      const page = { html: 'x', width: 9, height: 9, scale: 1, dark: false, delayMs: 0, output };
      await expect(browser.render({ ...page, path: join(folder, 'page') }, neverAborted)).rejects.toThrow();
      browser.close();
      expectNothing(await readReport(join(folder, 'report')));
    });

    it('as an imported program cannot read the gateway’s secrets and writes only to its own folder @F11', async () => {
      const cwd = await makeFolder(data, 'imports', `tool-${count++}`);
      const program = await writeProgram(join(cwd, 'report'));
      const connection = connectMcpStdio({
        ...{ command: program, args: [], cwd, env: { HOME: cwd }, era: null },
        ...{ onStderr: () => undefined, onClose: () => undefined, onToolsChanged: () => undefined },
      });
      await expect(connection).rejects.toThrow();
      const got = await readReport(join(cwd, 'report'));
      // It may read the rest of the machine: the operator chose it, and the checkout is not secret.
      expectNothing({ ...got, secrets: got.secrets.replace(readFileSync('serve.mjs', 'utf8'), '') });
    });

    it('as an imported program sees only programs in the home folder of the gateway’s user @F11', async () => {
      const home = await mkdtemp(join(await makeFolder(process.cwd(), '.cache'), 'home-'));
      const cwd = await makeFolder(data, 'imports', `tool-${count++}`);
      const writeArgs = `require('fs').writeFileSync('seen', JSON.stringify(process.argv.slice(1).map((path) => require('fs').existsSync(path))))`;
      const paths = ['.ssh/id', '.local/lib/x', 'given/x'].map((path) => join(home, path));
      try {
        for (const path of paths) {
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, 'x');
        }
        vi.stubEnv('HOME', home).stubEnv('PATH', `${home}/.local/bin:${process.env.PATH}`);
        const [, , named = ''] = paths;
        const sandbox = importedSandbox(process.execPath, [named], cwd);
        const { program, args } = buildConfinedCommand(layer, sandbox, {
          program: process.execPath,
          args: ['-e', writeArgs, ...paths],
        });
        await promisify(execFile)(program, [...args], { cwd });
        expect(JSON.parse(readFileSync(join(cwd, 'seen'), 'utf8'))).toEqual([false, true, true]);
      } finally {
        vi.unstubAllEnvs();
        await rm(home, { recursive: true });
      }
    });
  });
}

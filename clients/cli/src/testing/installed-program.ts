import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { afterAll, beforeAll } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { type CliSandbox, createCliSandbox } from './cli-sandbox.js';
import { type InstalledCli, installCli } from './install-cli.js';

let gateway: Harness;
let cli: InstalledCli;
let sandbox: CliSandbox;
let env: Record<string, string>;

/** Installs the program for the tests of a file and starts a gateway with a funded key. */
export function setUpProgram(): void {
  beforeAll(async () => {
    [gateway, cli, sandbox] = await Promise.all([
      startHarness({ role: 'web', listen: true }),
      installCli(),
      createCliSandbox(),
    ]);
    const { key } = await gateway.person(1_000_000n);
    env = {
      PATH: process.env.PATH ?? '',
      HOME: sandbox.home,
      TOOL_GATEWAY_URL: gateway.baseUrl,
      TOOL_GATEWAY_KEY: key,
    };
  });
  afterAll(() => Promise.all([gateway.close(), cli.remove(), sandbox.remove()]));
}

/** The installed CLI and its environment; available once `setUpProgram` has run. */
export const getInstalled = () => ({ cli, env });

/** Starts the installed program. */
export function startProgram(
  args: readonly string[],
  more: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [cli.bin, ...args], { env: { ...env, ...more } as NodeJS.ProcessEnv });
}

/** Writes `stdin` to a process, waits for its exit and returns its output. */
export async function collectOutput(child: ChildProcessWithoutNullStreams, stdin = '') {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(stdin);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, stdout, stderr };
}

/** Runs the installed program to its exit. */
export const runProgram = (args: readonly string[], stdin?: string, more?: Record<string, string>) =>
  collectOutput(startProgram(args, more), stdin);

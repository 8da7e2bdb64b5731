import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { afterAll, beforeAll } from 'vitest';
import { type Harness, startHarness } from '@/server/testing/harness';
import { type InstalledCli, installCli } from './install-cli.js';
import { type Desk, openDesk } from './type-command.js';

let gateway: Harness;
let cli: InstalledCli;
let desk: Desk;
let env: Record<string, string>;

/** Installs the program for the tests of a file and starts a gateway with a funded key. */
export function setUpProgram(): void {
  beforeAll(async () => {
    [gateway, cli, desk] = await Promise.all([startHarness({ listen: true }), installCli(), openDesk()]);
    const { key } = await gateway.person(1_000_000n);
    env = {
      PATH: process.env.PATH ?? '',
      HOME: desk.home,
      TOOL_GATEWAY_URL: gateway.baseUrl,
      TOOL_GATEWAY_KEY: key,
    };
  });
  afterAll(() => Promise.all([gateway.close(), cli.remove(), desk.leave()]));
}

/** The installed CLI and its environment; available once `setUpProgram` has run. */
export const installed = () => ({ cli, env });

/** Starts the installed program. */
export function begin(
  args: readonly string[],
  more: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [cli.bin, ...args], { env: { ...env, ...more } as NodeJS.ProcessEnv });
}

/** Writes `stdin` to a process, waits for its exit and returns its output. */
export async function ended(child: ChildProcessWithoutNullStreams, stdin = '') {
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
export const type = (args: readonly string[], stdin?: string, more?: Record<string, string>) =>
  ended(begin(args, more), stdin);

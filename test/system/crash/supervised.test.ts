// `npm start`: the supervisor restarts a gateway that is killed or crashes, and stops it cleanly.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../../../server/platform/process/process-identity';
import { createKey } from '../fixtures/accounts';
import { startGateway, type TestGateway } from '../fixtures/gateway';
import { diagnostics, send } from '../fixtures/gateway-client';
import { saveResult } from '../fixtures/test-results';
import { waitUntil } from '../fixtures/wait-until';

/** The supervisor must be small; the memory is for the gateway. */
const MAX_SUPERVISOR_MIB = 80;
/** Loaded into the gateway: SIGUSR2 throws an uncaught exception. */
const THROW_ON_SIGNAL =
  'process.on("SIGUSR2",()=>setImmediate(()=>{throw new TypeError("thrown by the test")}))';

let dataDir: string;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gateway-supervised-'));
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(THROW_ON_SIGNAL)}`;
  gateway = await startGateway({ DATA_DIR: dataDir, NODE_OPTIONS }, 'scripts/start.mjs');
  key = await createKey(gateway, 'supervised', 1);
});

afterAll(async () => {
  saveResult('crash/supervised.log', gateway.log());
  await gateway.stop();
});

test('a call succeeds under the supervisor', async () => {
  expect(await callEcho()).toBe(200);
});

const CRASHES = [
  // The first restart is immediate; one soon after the last crash waits half a second.
  { how: 'killed', signal: 'SIGKILL', cause: 'SIGKILL', wait: /^$/ },
  { how: 'ended by an exception', signal: 'SIGUSR2', cause: 'exit code 1', wait: /^( in 0\.5 s)?$/ },
  // Killed after a minute without a heartbeat.
  { how: 'stopped', signal: 'SIGSTOP', cause: 'SIGKILL', wait: /^( in \d(\.5)? s)?$/ },
] as const;

for (const { how, signal, cause, wait } of CRASHES)
  describe(`a gateway that was ${how}`, () => {
    let before: number;
    let starts: number;

    beforeAll(async () => {
      before = readHolder();
      starts = countStarts();
      const crashes = listCrashes().length;
      process.kill(before, signal);
      await waitUntil('the supervisor has seen the crash', () => listCrashes().length > crashes);
    });

    test('is restarted at once @E28 @F15', async () => {
      const crash = listCrashes().at(-1);
      expect(crash?.cause).toBe(cause);
      expect(crash?.wait).toMatch(wait);
      await waitUntil('another process holds the data', () => ![0, before].includes(readHolder()));
    });

    test('responds again at the same URL', async () => {
      await waitUntil('the gateway is ready', isReady);
      expect(await callEcho()).toBe(200);
      // It is watched from then on.
      await waitUntil('the start has finished', () => countStarts() > starts);
    });
  });

test('an uncaught exception is logged as one line of JSON', () => {
  const lines = gateway.log().split('\n');
  const fatal = lines.filter((line) => line.includes('process.uncaught_exception'));
  expect(fatal).toHaveLength(1);
  expect(JSON.parse(fatal[0] ?? '')).toMatchObject({ level: 'fatal' });
});

test.runIf(process.platform === 'linux')(`the supervisor uses at most ${MAX_SUPERVISOR_MIB} MiB`, () => {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  const mib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  expect(mib).toBeGreaterThan(0);
  expect(mib).toBeLessThanOrEqual(MAX_SUPERVISOR_MIB);
});

test('stopping the supervisor stops the gateway', async () => {
  const last = readHolder();
  await gateway.stop();
  expect(isAlive(last)).toBe(false);
  expect(existsSync(dataDir)).toBe(false);
});

async function callEcho(): Promise<number> {
  const json = diagnostics('echo', { message: 'x' });
  return (await send(`${gateway.baseUrl}/v1/tools/call`, key, 'POST', { json })).status;
}

/** Parses what the supervisor logged about each crash. */
function listCrashes(): { cause: string; wait: string }[] {
  const lines = gateway.log().matchAll(/The gateway crashed \(([^)]*)\): restarting(.*)\.$/gm);
  return [...lines].map(([, cause = '', wait = '']) => ({ cause, wait }));
}

function countStarts(): number {
  return gateway.log().split('Tool Gateway is ready after').length;
}

/** The pid of the process that holds the data folder; 0 for none. */
function readHolder(): number {
  try {
    const { pid }: { pid: number } = JSON.parse(readFileSync(join(dataDir, 'gateway.lock'), 'utf8'));
    return pid;
  } catch {
    return 0;
  }
}

async function isReady(): Promise<boolean> {
  return await fetch(`${gateway.baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

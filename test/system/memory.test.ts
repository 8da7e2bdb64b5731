// Measures the gateway's memory during transfers of a 100 MiB file and after a thousand streams.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { UNLIMITED_RATES } from '../support/unlimited-rates';
import { inMib, MIB, measurePeak, readMemoryAtRest, readResidentBytes } from './fixtures/resident-memory';
import { setupGateway } from './fixtures/setup-gateway';
import { downloadSlowly, uploadRandom } from './memory/large-file';
import { runStreams } from './memory/streams';

const SCENARIO_LIMIT_MS = 600_000;

const FILE_BYTES = 100 * MIB;
const MAX_IDLE_MIB = 320;
const MAX_GROWTH_MIB = 150;
const FILE_SAMPLE_MS = 20;
const PARALLEL = 4;

/** A heap shrinks only some seconds after the work has ended. */
const SHRINK_LIMIT_MS = 30_000;
const STREAM_SAMPLE_MS = 500;
const MAX_SHARE = 1.2;

const gateway = setupGateway('memory/gateway', {
  settings: { ...UNLIMITED_RATES, CONCURRENT_CALLS: '2000' },
});

describe('a file of 100 MiB', () => {
  let idle: number;
  let found: Awaited<ReturnType<typeof transferFile>>;
  let peak: number;

  beforeAll(async () => {
    const key = await createKey('memory');
    // Load all modules first.
    const small = await uploadRandom(gateway.baseUrl, key, 1024);
    await downloadSlowly(`${gateway.baseUrl}/v1/assets/${small.asset.asset_id}`);
    idle = await readMemoryAtRest(gateway.pid);
    const measured = await measurePeak(gateway.pid, FILE_SAMPLE_MS, () => transferFile(gateway.baseUrl, key));
    found = measured.value;
    peak = measured.peak;
    console.log(`memory: ${inMib(idle)} idle, at most ${inMib(peak - idle)} more for the file`);
  }, SCENARIO_LIMIT_MS);

  test('an upload of 100 MiB is stored', () => {
    expect(found.uploaded.asset.size_bytes).toBe(FILE_BYTES);
  });

  test(`${PARALLEL} slow clients at once download it byte for byte`, () => {
    const complete = { status: 200, size: FILE_BYTES, hash: found.uploaded.hash };
    expect(found.downloads).toEqual(Array(PARALLEL).fill(complete));
  });

  test('a range request returns half of the file', () => {
    expect(found.half).toMatchObject({ status: 206, size: FILE_BYTES / 2 });
  });

  test(`the gateway uses at most ${MAX_IDLE_MIB} MiB when idle`, () => {
    expect(idle / MIB).toBeLessThanOrEqual(MAX_IDLE_MIB);
  });

  test(`the gateway stays within ${MAX_GROWTH_MIB} MiB of idle @E15`, () => {
    expect((peak - idle) / MIB).toBeLessThanOrEqual(MAX_GROWTH_MIB);
  });
});

describe('a thousand streams and uploads of 8 MiB', () => {
  const problems: string[] = [];
  let before: number;
  let after: number;

  beforeAll(async () => {
    const key = await createKey('streams');
    // The heap grows once to the size that this work needs; it must not grow further.
    problems.push(...(await runStreams(gateway.baseUrl, key)));
    before = await readMemoryAtRest(gateway.pid);
    const { value, peak } = await measurePeak(gateway.pid, STREAM_SAMPLE_MS, () =>
      runStreams(gateway.baseUrl, key),
    );
    problems.push(...value);
    after = await waitUntilBelow(gateway.pid, before * MAX_SHARE);
    console.log(`memory: ${inMib(before)} before the streams, at most ${inMib(peak)}, then ${inMib(after)}`);
  }, SCENARIO_LIMIT_MS);

  test('a thousand concurrent streams end with their result, and concurrent uploads are stored completely', () => {
    expect(problems).toEqual([]);
  });

  test('memory returns to within 20% of its earlier value after a thousand streams and uploads of 8 MiB @E15', () => {
    expect(after / MIB).toBeLessThanOrEqual((before * MAX_SHARE) / MIB);
  });
});

async function createKey(name: string): Promise<string> {
  return (await gateway.admin('account', 'create', '--email', `${name}@memory.test`, '--credit-usd', '0'))
    .api_key;
}

/** Uploads the file, downloads it with several slow clients at once, then downloads a range. */
async function transferFile(baseUrl: string, key: string) {
  const uploaded = await uploadRandom(baseUrl, key, FILE_BYTES);
  const address = `${baseUrl}/v1/assets/${uploaded.asset.asset_id}`;
  const downloads = await Promise.all(Array.from({ length: PARALLEL }, () => downloadSlowly(address)));
  const half = await downloadSlowly(address, `bytes=${FILE_BYTES / 2}-`);
  return { uploaded, downloads, half };
}

/**
 * Samples the memory of a process until it is low enough or the time limit is reached.
 * @returns the lowest value
 */
async function waitUntilBelow(pid: number, bytes: number): Promise<number> {
  let least = readResidentBytes(pid);
  for (const end = performance.now() + SHRINK_LIMIT_MS; least > bytes && performance.now() < end; ) {
    await sleep(STREAM_SAMPLE_MS);
    least = Math.min(least, readResidentBytes(pid));
  }
  return least;
}

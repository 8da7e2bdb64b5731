import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { startGateway } from '../../test/system/fixtures/gateway';
import type { ReadsOptions } from '../options';
import { measureCatalog } from './catalog';
import { measurePolls } from './polls';
import type { Timed } from './timing';
import { measureUsage } from './usage';

/** Far above what the bench reaches: limits are checked as usual but never reject. */
const LIMITS = { ...UNLIMITED_RATES, CONCURRENT_CALLS: '10000' };

/**
 * Measures reads by HTTP on loopback: usage of an account with very many calls, a large catalogue,
 * and polls with many others waiting.
 * @returns the exit code: 1 if a goal was missed
 */
export async function benchReads(root: string, { rows, tools, polls }: ReadsOptions): Promise<number> {
  const gateway = await startGateway(LIMITS);
  try {
    const found: Timed[] = [];
    if (tools > 0) found.push(...(await measureCatalog(gateway, tools, root)));
    if (polls > 0) found.push(...(await measurePolls(gateway, polls, root)));
    if (rows > 0) found.push(...(await measureUsage(gateway, rows)));
    const text = report(found, { rows, tools, polls });
    console.log(text);
    const results = join(root, 'bench/results');
    await mkdir(results, { recursive: true });
    const at = new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19);
    await writeFile(join(results, `${at}-reads.md`), text);
    return found.every(({ good }) => good) ? 0 : 1;
  } finally {
    await gateway.stop();
  }
}

function report(found: readonly Timed[], { rows, tools, polls }: ReadsOptions): string {
  const ms = (value: number) => value.toFixed(1);
  const lines = found.map(
    ({ name, requests, p50, p99, max, most, good }) =>
      `| ${name} | ${requests} | ${ms(p50)} | ${ms(p99)} | ${ms(max)} | ${most === null ? '' : good ? `≤ ${most}` : `**over ${most}**`} |`,
  );
  const count = (value: number) => value.toLocaleString('en-US');
  return [
    `# Reads: ${count(rows)} calls in one account, ${count(tools)} tools, ${count(polls)} waiting polls`,
    '',
    'Complete responses by HTTP on loopback, one at a time, in milliseconds. Goals apply to p50 for usage, otherwise to p99.',
    '',
    '| What | requests | p50 | p99 | max | goal |',
    '| --- | --: | --: | --: | --: | --- |',
    ...lines,
    '',
  ].join('\n');
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { installOnDemand } from '../../../scripts/on-demand.mjs';
import { surfaceWithFixtures } from './testing/mcp-fixtures';

const VERSIONS = ['2025-11-25', '2026-07-28'];
const here = (path: string) => fileURLToPath(new URL(`conformance/${path}`, import.meta.url));
const suite = `${installOnDemand('conformance')}@modelcontextprotocol/conformance/dist/index.js`;

const open: Harness[] = [];
afterAll(async () => {
  for (const harness of open) await harness.close();
});

/** Runs the suite as a program; its exit code reports unexpected failures and unexpected passes. */
async function runSuite(
  url: string,
  version: string,
  baseline: string,
): Promise<{ code: number; out: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  const options = ['--suite', 'all', '--spec-version', version, '--expected-failures', here(baseline)];
  const args = [
    '--import',
    here('with-glob-sync.mjs'),
    suite,
    'server',
    '--url',
    url,
    '-o',
    folder,
    ...options,
  ];
  try {
    return await new Promise((done) => {
      const run = execFile(
        process.execPath,
        args,
        { maxBuffer: 64 * 1024 * 1024 },
        (_error, stdout, stderr) => done({ code: run.exitCode ?? -1, out: stdout + stderr }),
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe.each([
  ['the surface of the gateway', undefined, 'expected-failures.yaml', { '2025-11-25': 20, '2026-07-28': 70 }],
  [
    'the same endpoint with fixtures',
    surfaceWithFixtures,
    'expected-failures-with-fixtures.yaml',
    { '2025-11-25': 50, '2026-07-28': 100 },
  ],
])('the official conformance suite: %s', (_name, mcpSurface, baseline, atLeast) => {
  it('passes for both versions, except for the expected failures', async () => {
    const harness = await startHarness({ role: 'web', listen: true, mcpSurface });
    open.push(harness);
    const runs = await Promise.all(
      VERSIONS.map(async (version) => ({
        version,
        ...(await runSuite(`${harness.baseUrl}/mcp`, version, baseline)),
      })),
    );
    for (const { version, code, out } of runs) {
      expect(code, `${version}\n${out.slice(-4000)}`).toBe(0);
      // A suite that ran nothing would pass too.
      const passed = Number(/Total: (\d+) passed/.exec(out)?.[1]);
      expect(passed, version).toBeGreaterThanOrEqual(atLeast[version as keyof typeof atLeast]);
    }
  });
});

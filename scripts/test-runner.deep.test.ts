import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const scripts = fileURLToPath(new URL('.', import.meta.url));
const IMPORT = `import { existsSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { it } from 'vitest';
`;

let folder: string;
let marker: string;
beforeEach(() => {
  folder = mkdtempSync(join(scripts, 'runner-test-'));
  marker = JSON.stringify(join(folder, 'seen'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  code: number;
  out: string;
  summary: { failed: number; passed: number; flaky: string[] };
}

/** Runs the unit suite with only this test file. */
async function run(source: string, ...options: string[]): Promise<Outcome> {
  writeFileSync(join(folder, 'probe.test.ts'), IMPORT + source);
  return await runSuite('unit', ...options, folder.slice(scripts.length));
}

async function runSuite(...args: string[]): Promise<Outcome> {
  const results = join(folder, 'results');
  mkdirSync(results, { recursive: true });
  // The server of this run: starting another takes longer than the probes.
  const TEST_DATABASE_URL = process.env.TEST_ADMIN_DATABASE_URL;
  const env = { ...process.env, TEST_RESULTS_FOLDER: results, TEST_DATABASE_URL };
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(scripts, 'test.mjs'), ...args],
      { env, maxBuffer: 2 ** 24 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr }),
    );
  });
  return { code, out, summary: JSON.parse(readFileSync(join(results, 'summary.json'), 'utf8')) };
}

const failOnce = () => `if (!existsSync(${marker})) {
  writeFileSync(${marker}, '');
  throw new Error('Bad luck');
}`;

describe('npm test', () => {
  it('passes a test that fails once, and records it as flaky', async () => {
    const { code, out, summary } = await run(`it('flickers', () => { ${failOnce()} });`);
    expect(out).toContain('1 passed, 0 failed, 0 skipped');
    expect(code).toBe(0);
    expect(summary).toMatchObject({ passed: 1, failed: 0, flaky: [expect.stringContaining('flickers')] });
    const record = JSON.parse(readFileSync(join(folder, 'results/flaky.json'), 'utf8'));
    expect(record).toMatchObject([{ part: 'unit', message: expect.stringContaining('Bad luck') }]);
  });

  it('with --no-retry, fails by a test that fails once', async () => {
    const { code, summary } = await run(`it('flickers', () => { ${failOnce()} });`, '--no-retry');
    expect(code).toBe(1);
    expect(summary).toMatchObject({ failed: 1, flaky: [] });
  });

  it('fails by a test that fails twice', async () => {
    const { code, out, summary } = await run(`it('is wrong', () => { throw new Error('Always'); });`);
    expect(code).toBe(1);
    expect(out).toContain('failed files once more, alone');
    expect(summary).toMatchObject({ failed: 1, flaky: [] });
  });

  it('fails by a test that does not run in the second try, although others of its file pass', async () => {
    const { code, summary } = await run(`it('passes', () => undefined);
it.skipIf(existsSync(${marker}))('flickers', () => { ${failOnce()} });`);
    expect(code).toBe(1);
    expect(summary).toMatchObject({ failed: 1, flaky: [] });
  });

  it('fails if no test matches', async () => {
    const { code, out } = await runSuite('system', 'no-such-test');
    expect(code).toBe(1);
    expect(out).toContain('No test file matches no-such-test');
  });

  it.each([
    ['an unhandled error', () => `it('x', () => { setTimeout(() => { ${failOnce()} }); });`],
    [
      'a crash of its worker',
      () =>
        `it('x', () => { if (!existsSync(${marker})) { writeFileSync(${marker}, ''); process.kill(process.pid, 'SIGKILL'); } });`,
    ],
    [
      'a process that a test leaves behind',
      () =>
        `it('x', () => { spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).unref(); ${failOnce()} });`,
    ],
  ])('a second try does not hide %s', async (_, source) => {
    const { code, summary } = await run(source());
    expect(code).toBe(1);
    expect(summary.failed).toBeGreaterThan(0);
  });
});

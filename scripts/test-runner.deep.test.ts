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
beforeEach(() => {
  folder = mkdtempSync(join(scripts, 'runner-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  code: number;
  out: string;
  summary: { failed: number; passed: number; flaky: string[] };
}

/** Runs the unit suite with only these test files; MARKER is a file of each. */
async function run(sources: Record<string, string>, ...options: string[]): Promise<Outcome> {
  for (const [name, source] of Object.entries(sources)) {
    const marker = `const MARKER = ${JSON.stringify(join(folder, `${name}.seen`))};\n`;
    writeFileSync(join(folder, `${name}.test.ts`), IMPORT + marker + source);
  }
  return await runSuite('unit', ...options, folder.slice(scripts.length));
}

async function runSuite(...args: string[]): Promise<Outcome> {
  const results = join(folder, 'results');
  mkdirSync(results, { recursive: true });
  // It inherits the server and the template of this run: others take longer than the probes.
  const env = { ...process.env, TEST_RESULTS_FOLDER: results };
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

const FAIL_ONCE = `if (!existsSync(MARKER)) {
  writeFileSync(MARKER, '');
  throw new Error('Bad luck');
}`;

describe('npm test', () => {
  it('passes a test that fails once, and records it as flaky', async () => {
    const { code, out, summary } = await run({ once: `it('flickers', () => { ${FAIL_ONCE} });` });
    expect(out).toContain('1 passed, 0 failed, 0 skipped');
    expect(code).toBe(0);
    expect(summary).toMatchObject({ passed: 1, failed: 0, flaky: [expect.stringContaining('flickers')] });
    const record = JSON.parse(readFileSync(join(folder, 'results/flaky.json'), 'utf8'));
    expect(record).toMatchObject([{ part: 'unit', message: expect.stringContaining('Bad luck') }]);
  });

  it('with --no-retry, fails by a test that fails once', async () => {
    const { code, summary } = await run({ once: `it('flickers', () => { ${FAIL_ONCE} });` }, '--no-retry');
    expect(code).toBe(1);
    expect(summary).toMatchObject({ failed: 1, flaky: [] });
  });

  it('fails by a test that fails twice or is left out of the second try', async () => {
    const { code, out, summary } = await run({
      twice: `it('is wrong', () => { throw new Error('Always'); });`,
      once: `it('passes', () => undefined);
it.skipIf(existsSync(MARKER))('flickers', () => { ${FAIL_ONCE} });`,
    });
    expect(code).toBe(1);
    expect(out).toContain('failed files once more, alone');
    expect(summary).toMatchObject({ passed: 1, failed: 2, flaky: [] });
  });

  it('fails if no test matches', async () => {
    const { code, out } = await runSuite('system', 'no-such-test');
    expect(code).toBe(1);
    expect(out).toContain('No test file matches no-such-test');
  });

  it('no second try hides an unhandled error, a crash of a worker or a process that is left', async () => {
    const { code, out, summary } = await run({
      unhandled: `it('x', () => { setTimeout(() => { ${FAIL_ONCE} }); });`,
      crash: `it('x', () => { process.kill(process.pid, 'SIGKILL'); });`,
      left: `it('x', () => { spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).unref(); });`,
    });
    expect(code).toBe(1);
    expect(out).not.toContain('failed files once more');
    const [, failed = ''] = out.split('\nFailed\n');
    for (const words of ['Bad luck', 'Worker', 'Processes of the tests still ran at the end'])
      expect(failed).toContain(words);
    expect(summary.failed).toBeGreaterThanOrEqual(3);
  });
});

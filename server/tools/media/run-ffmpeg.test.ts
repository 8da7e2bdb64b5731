import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Engines } from '../engines';
import { setProgramPaths } from '../programs';
import { runSkill } from '../skill-harness';
import { createTestFiles } from '../test-files';
import { tool } from './index';
import { runFfmpeg } from './run-ffmpeg';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fake-ffmpeg-'));
});
afterEach(async () => {
  setProgramPaths({ ffmpeg: null });
  await rm(folder, { recursive: true, force: true });
});

/** A program in place of ffmpeg. `pid` is the file in which it leaves its process id. */
async function fake(script: string): Promise<{ pid: string }> {
  const program = join(folder, 'ffmpeg');
  const pid = join(folder, 'pid');
  await writeFile(program, `#!/bin/sh\necho $$ > '${pid}'\n${script}\n`);
  await chmod(program, 0o755);
  setProgramPaths({ ffmpeg: program });
  return { pid };
}

const never = new AbortController().signal;

async function processOf({ pid }: { pid: string }): Promise<number> {
  return Number(
    await vi.waitFor(async () => {
      const text = await readFile(pid, 'utf8');
      expect(text).toMatch(/\d\n/);
      return text;
    }, 15_000),
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('without an ffmpeg the tool is not available, and a call says so', async () => {
  setProgramPaths({ ffmpeg: join(folder, 'nothing') });
  expect(await new Engines().whyMissing(tool)).toMatch(/No ffmpeg was found.*FFMPEG_PATH/);
  const files = await createTestFiles();
  const call = runSkill(tool, 'thumbnail', { file: 'asset_sample_clip' }, { files });
  await expect(call).rejects.toThrow(/No ffmpeg was found/);
  await files.remove();
  await fake('exit 0');
  expect(await new Engines().whyMissing(tool)).toBeNull();
});

it('an aborted call ends the program', async () => {
  const program = await fake('exec sleep 60');
  const controller = new AbortController();
  const run = runFfmpeg([], { signal: controller.signal });
  const pid = await processOf(program);
  controller.abort(new Error('cancelled'));
  await expect(run).rejects.toThrow('cancelled');
  expect(isAlive(pid)).toBe(false);
});

it('a program that does not listen is killed two seconds later', { timeout: 15_000 }, async () => {
  const program = await fake("trap '' TERM\nwhile :; do sleep 0.05; done");
  const controller = new AbortController();
  const run = runFfmpeg([], { signal: controller.signal });
  const pid = await processOf(program);
  const begun = performance.now();
  controller.abort(new Error('cancelled'));
  await expect(run).rejects.toThrow('cancelled');
  expect(performance.now() - begun).toBeGreaterThan(1_900);
  expect(isAlive(pid)).toBe(false);
});

it('no more than two run at once, and one that waits can be aborted', async () => {
  const count = join(folder, 'count');
  await fake(`echo x >> '${count}'\nexec sleep 60`);
  const controller = new AbortController();
  const runs = [1, 2, 3].map(() => runFfmpeg([], { signal: controller.signal }).catch(() => 'ended'));
  await vi.waitFor(async () => expect(await readFile(count, 'utf8')).toBe('x\nx\n'), 15_000);
  controller.abort(new Error('cancelled'));
  expect(await Promise.all(runs)).toEqual(['ended', 'ended', 'ended']);
  expect(await readFile(count, 'utf8')).toBe('x\nx\n');
});

it('it sees no secret of our environment, no shell, and its words are bounded', async () => {
  process.env.SECRET_OF_THE_TEST = 'hush';
  await fake(
    'env >&2\necho "$@" >&2\nhead -c 1000000 /dev/zero | tr "\\0" x >&2\necho; echo out_time_us=1500000; echo end >&2',
  );
  const seconds: number[] = [];
  const { ok, said } = await runFfmpeg(['$(id)', ';ls'], {
    signal: never,
    onSeconds: (done) => seconds.push(done),
  });
  delete process.env.SECRET_OF_THE_TEST;
  expect(ok).toBe(true);
  expect(said.length).toBeLessThanOrEqual(16_384);
  expect(seconds).toEqual([1.5]);
  await fake('env >&2; echo "$@" >&2; exit 3');
  const short = await runFfmpeg(['$(id)', ';ls'], { signal: never });
  expect(short.ok).toBe(false);
  expect(short.said).toContain('$(id) ;ls');
  expect(short.said).not.toContain('hush');
});

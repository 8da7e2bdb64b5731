import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestFiles } from '@/test/support/test-files';
import { findConfinement, sharesProcesses } from '../../platform/confinement/confinement';
import { setProgramPaths } from '../../platform/workers/programs';
import { setWorkerCaller } from '../../platform/workers/worker-callers';
import { Engines } from '../sdk/engines';
import { runSkill } from '../sdk/skill-harness';
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

/** Installs a fake ffmpeg in a temporary folder; it writes to the folder of its files. */
async function fake(script: string): Promise<void> {
  const program = join(folder, `bin-${randomUUID()}`, 'ffmpeg');
  await mkdir(dirname(program));
  await writeFile(program, `#!/bin/sh\n[ "$1" != -version ] || exit 0\n${script}\n`);
  await chmod(program, 0o755);
  setProgramPaths({ ffmpeg: program });
}

/** Arguments that pass the folder to the program. */
const inFolder = () => [`file:${join(folder, 'input')}`];
const never = new AbortController().signal;

const getSize = async (name: string) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0;

/** Waits until the program writes repeatedly. */
async function waitForBeats(): Promise<void> {
  await vi.waitFor(async () => expect(await getSize('beats')).toBeGreaterThan(0), 15_000);
}

it('without ffmpeg the tool is unavailable, and a call reports it', async () => {
  setProgramPaths({ ffmpeg: join(folder, 'nothing') });
  expect(await new Engines(60_000).findMissing(tool)).toEqual({
    reason: 'This gateway has no ffmpeg.',
    fix: expect.stringContaining('FFMPEG_PATH'),
  });
  const files = await createTestFiles();
  const call = runSkill(tool, 'thumbnail', { file: 'asset_sample_clip' }, { files });
  await expect(call).rejects.toThrow('This gateway has no ffmpeg.');
  await files.remove();
  await fake('exit 0');
  expect(await new Engines(60_000).findMissing(tool)).toBeNull();
});

it('aborting a call kills the program and its children, even if they ignore signals', async () => {
  await fake(
    `trap '' TERM; beat() { while :; do echo x >> '${folder}/beats'; sleep 0.02; done; }; beat & beat`,
  );
  const controller = new AbortController();
  const run = runFfmpeg(inFolder(), { signal: controller.signal });
  await waitForBeats();
  controller.abort(new Error('cancelled'));
  await expect(run).rejects.toThrow('cancelled');
  // Without namespaces, its children only end if they handle the signal.
  if (sharesProcesses(await findConfinement())) return;
  const beats = await getSize('beats');
  await setTimeout(200);
  expect(await getSize('beats')).toBe(beats);
});

it('at most two run at once, one per account, and a waiting one can be aborted', async () => {
  const count = join(folder, 'count');
  await fake(`echo x >> '${count}'\nexec sleep 60`);
  const controller = new AbortController();
  const runs = ['a', 'a', 'b'].map((accountId) => {
    const signal = AbortSignal.any([controller.signal]);
    setWorkerCaller(signal, { accountId, provisional: false, spentMs: 0 });
    return runFfmpeg(inFolder(), { signal }).catch(() => 'ended');
  });
  await vi.waitFor(async () => expect(await readFile(count, 'utf8')).toBe('x\nx\n'), 15_000);
  controller.abort(new Error('cancelled'));
  expect(await Promise.all(runs)).toEqual(['ended', 'ended', 'ended']);
  expect(await readFile(count, 'utf8')).toBe('x\nx\n');
});

it('the program sees no secret of our environment and no shell, and its output is bounded', async () => {
  process.env.SECRET_OF_THE_TEST = 'hush';
  await fake(
    'env >&2\necho "$@" >&2\nhead -c 1000000 /dev/zero | tr "\\0" x >&2\necho; echo out_time_us=1500000; echo end >&2',
  );
  const seconds: number[] = [];
  const { ok, stderr } = await runFfmpeg(['$(id)', ';ls'], {
    signal: never,
    onSeconds: (done) => seconds.push(done),
  });
  delete process.env.SECRET_OF_THE_TEST;
  expect(ok).toBe(true);
  expect(stderr.length).toBeLessThanOrEqual(131_072);
  expect(seconds).toEqual([1.5]);
  await fake('env >&2; echo "$@" >&2; exit 3');
  const short = await runFfmpeg(['$(id)', ';ls'], { signal: never });
  expect(short.ok).toBe(false);
  expect(short.stderr).toContain('$(id) ;ls');
  expect(short.stderr).not.toContain('hush');
});

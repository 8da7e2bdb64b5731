import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { limitConfinement } from '../../../platform/confinement/confinement';
import { runSkill } from '../../sdk/skill-harness';
import { createHostileMovie } from '../hostile-movie.fixture';
import { tool } from '../index';
import { buildInputArgs } from '../media-file';
import { findMissingFfmpeg, runFfmpeg } from '../run-ffmpeg';

const missing = await findMissingFfmpeg();
/** A `describe` that is skipped without ffmpeg, with the reason in its title. */
export const suite = (title: string, tests: () => void) =>
  missing ? describe.skip(`${title} (${missing.reason})`, tests) : describe(title, tests);

/** How ffmpeg describes each format, and its media type. */
export const FORMATS = {
  mp4: [/Video: h264 .*160x\d+[\s\S]*Audio: aac/, 'video/mp4'],
  webm: [/Video: vp9.*160x\d+[\s\S]*Audio: opus/, 'video/webm'],
  gif: [/Video: gif.*160x\d+/, 'image/gif'],
  mp3: [/Audio: mp3/, 'audio/mpeg'],
  wav: [/Audio: pcm_s16le/, 'audio/wav'],
  ogg: [/Audio: opus/, 'audio/ogg'],
} as const;

/** Sets up the media tool with sample files for the tests of a file. */
export function createMediaTool() {
  let files: TestFiles;
  beforeAll(async () => {
    files = await createTestFiles();
  });
  afterAll(() => files.remove());

  const run = (skill: string, input: Record<string, unknown>) =>
    runSkill(tool, skill, { file: 'asset_sample_clip', ...input }, { files });

  /** Describes a file with ffmpeg. */
  async function describeFile(assetId: string): Promise<string> {
    const path = await files.scratch();
    await writeFile(path, await files.readBytes(assetId));
    const command = `ffmpeg -hide_banner -nostdin -i '${path}' -f null - 2>&1`;
    return execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  }

  async function expectPlayable(to: keyof typeof FORMATS): Promise<void> {
    const [streams, type] = FORMATS[to];
    const cut = { start_seconds: 0.5, duration_seconds: 1, max_width: 160 };
    const { output, usage } = await run('transcode', { to, ...cut });
    expect(output).toMatchObject({
      file: { content_type: type, filename: `clip.${to}` },
      duration_seconds: 1,
    });
    expect(usage).toEqual({ units: 1 / 60 });
    const seen = await describeFile(output.file.asset_id);
    expect(seen).toMatch(streams);
    expect(seen).toMatch(/Duration: 00:00:0[01]\.\d\d/);
  }

  async function expectMemoryBound(confinement: Parameters<typeof limitConfinement>[0]): Promise<void> {
    limitConfinement(confinement);
    const path = await files.scratch('mp4');
    // 1.9 GB of indexes.
    await writeFile(path, createHostileMovie({ tracks: 16, samples: 5_000_000 }));
    const args = buildInputArgs(path, 'video/mp4') ?? [];
    const reading = runFfmpeg(args, { signal: new AbortController().signal, maxBytes: 128 * 1024 * 1024 });
    await expect(reading).rejects.toThrow(/^file: processing it takes more than 128 MiB of memory/);
    limitConfinement();
  }

  return { files: () => files, run, describeFile, expectPlayable, expectMemoryBound };
}

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitConfinement } from '../../confinement/confinement';
import { runSkill } from '../skill-harness';
import { createTestFiles, type TestFiles } from '../test-files';
import { createHostileMovie, type HostileMovie } from './hostile-movie.fixture';
import { tool } from './index';
import { readingArgs } from './media-file';
import { runFfmpeg, whyNoFfmpeg } from './run-ffmpeg';

const missing = await whyNoFfmpeg();
/** Skipped, with the reason in the title, where there is no ffmpeg. */
const suite = (title: string, tests: () => void) =>
  missing ? describe.skip(`${title} (${missing})`, tests) : describe(title, tests);

let files: TestFiles;
beforeAll(async () => {
  files = await createTestFiles();
});
afterAll(() => files.remove());

const run = (skill: string, input: Record<string, unknown>) =>
  runSkill(tool, skill, { file: 'asset_sample_clip', ...input }, { files });

/** What a file is, as another run of ffmpeg sees it. */
async function lookInto(assetId: string): Promise<string> {
  const path = await files.scratch();
  await writeFile(path, await files.bytesOf(assetId));
  const look = `ffmpeg -hide_banner -nostdin -i '${path}' -f null - 2>&1`;
  return execFileSync('sh', ['-c', look], { encoding: 'utf8' });
}

suite('media.transcode', () => {
  it.each([
    ['mp4', /Video: h264 .*160x\d+[\s\S]*Audio: aac/, 'video/mp4'],
    ['webm', /Video: vp9.*160x\d+[\s\S]*Audio: opus/, 'video/webm'],
    ['gif', /Video: gif.*160x\d+/, 'image/gif'],
    ['mp3', /Audio: mp3/, 'audio/mpeg'],
    ['wav', /Audio: pcm_s16le/, 'audio/wav'],
    ['ogg', /Audio: opus/, 'audio/ogg'],
  ])('makes %s that can be played', { timeout: 120_000 }, async (to, streams, type) => {
    const { output, usage } = await run('transcode', {
      to,
      start_seconds: 0.5,
      duration_seconds: 1,
      max_width: 160,
    });
    expect(output).toMatchObject({
      file: { content_type: type, filename: `clip.${to}` },
      duration_seconds: 1,
    });
    expect(usage).toEqual({ units: 1 / 60 });
    const seen = await lookInto(output.file.asset_id);
    expect(seen).toMatch(streams);
    expect(seen).toMatch(/Duration: 00:00:0[01]\.\d\d/);
  });

  it('tells its progress, and leaves out sound and metadata where asked', { timeout: 120_000 }, async () => {
    const { output, progress } = await run('transcode', { to: 'mp4', mute: true, video_kbps: 100 });
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.at(-1)).toBeGreaterThan(0.9);
    expect(await lookInto(output.file.asset_id)).not.toMatch(/Audio:/);
  });

  it('says what it cannot do', async () => {
    await expect(run('transcode', { file: 'asset_sample_tone', to: 'mp4' })).rejects.toThrow(
      /no moving picture/,
    );
    await expect(run('transcode', { to: 'mp3', start_seconds: 99 })).rejects.toThrow(
      /start_seconds: the file has only/,
    );
    await expect(run('transcode', { to: 'mp3', duration_seconds: 601 })).rejects.toThrow(
      /duration_seconds|600/,
    );
    const silent = await run('transcode', { to: 'gif', duration_seconds: 0.5, max_width: 64 });
    await expect(run('extract_audio', { file: silent.output.file.asset_id })).rejects.toThrow(/no sound/);
  });
});

suite('media.thumbnail', () => {
  it.each(['jpeg', 'png'])('takes a frame as %s', async (format) => {
    const { output } = await run('thumbnail', { format, max_width: 100, at_seconds: 2 });
    const picture = await sharp(await files.bytesOf(output.file.asset_id)).metadata();
    expect(picture).toMatchObject({ format, width: 100 });
    expect(output.at_seconds).toBe(2);
  });

  it('refuses a moment after the end, and a file of sound', async () => {
    await expect(run('thumbnail', { at_seconds: 60 })).rejects.toThrow(
      /at_seconds: there is no frame at 60 s/,
    );
    await expect(run('thumbnail', { file: 'asset_sample_tone' })).rejects.toThrow(/no moving picture/);
  });
});

suite('media.extract_audio', () => {
  it('takes the sound', async () => {
    const { output } = await run('extract_audio', {});
    expect(output.file).toMatchObject({ filename: 'clip.mp3', content_type: 'audio/mpeg' });
    const seen = await lookInto(output.file.asset_id);
    expect(seen).toMatch(/Audio: mp3/);
    expect(seen).not.toMatch(/Video:/);
  });
});

suite('a file that claims more than it is', () => {
  const add = (movie: HostileMovie) => files.add('hostile.mp4', createHostileMovie(movie));

  it.runIf(process.platform === 'linux').each<[string, Partial<Parameters<typeof limitConfinement>[0]>]>([
    ['as confined as it can be', {}],
    ['without confinement', { layers: ['none'] }],
  ])('is ended where it takes too much memory: %s', async (_, confinement) => {
    limitConfinement(confinement);
    const path = await files.scratch('mp4');
    // 1.9 GB of indexes.
    await writeFile(path, createHostileMovie({ tracks: 16, samples: 5_000_000 }));
    const args = readingArgs(path, 'video/mp4') ?? [];
    const reading = runFfmpeg(args, { signal: new AbortController().signal, maxBytes: 128 * 1024 * 1024 });
    await expect(reading).rejects.toThrow(/^file: needs more than 128 MiB of memory/);
    limitConfinement();
  });

  it('is refused for its streams, and for its pixels, before they are decoded', async () => {
    const streams = await add({ tracks: 17, samples: 1 });
    await expect(run('transcode', { file: streams, to: 'mp4' })).rejects.toThrow(
      /^file: has more than 16 streams/,
    );
    const pixels = await add({ tracks: 1, samples: 1, side: 30_000 });
    await expect(run('thumbnail', { file: pixels })).rejects.toThrow(
      'file: its picture is 30000 × 30000 pixels. Send at most 4096 × 2304.',
    );
  });
});

suite('what ffmpeg may read', () => {
  const secret = 'the-secret-of-another-file';
  const playlists: [string, (path: string) => string][] = [
    ['a.m3u8', (path) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${path}\n#EXT-X-ENDLIST\n`],
    ['a.ffconcat', (path) => `ffconcat version 1.0\nfile '${path}'\n`],
    ['a.mpd', (path) => `<?xml version="1.0"?><MPD><Period><BaseURL>${path}</BaseURL></Period></MPD>`],
    ['a.sdp', () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n'],
    ['a.svg', (path) => `<svg xmlns="http://www.w3.org/2000/svg"><image href="${path}"/></svg>`],
    ['a.srt', () => '1\n00:00:00,000 --> 00:00:01,000\nhello\n'],
    ['a.txt', () => 'only text'],
    ['a.mp4', (path) => `#EXTM3U\n#EXTINF:1,\n${path}\n`],
  ];
  it.each(playlists)('is no list of other files: %s', async (name, contentOf) => {
    const other = await files.scratch('txt');
    await writeFile(other, secret);
    const file = await files.add(name, Buffer.from(contentOf(other)));
    const failed = run('transcode', { file, to: 'mp4' });
    await expect(failed).rejects.toThrow(/^file: is no video or sound that can be read here/);
    await expect(run('thumbnail', { file })).rejects.not.toThrow(secret);
  });

  it('is read by the reader of its own kind, whatever else it holds', async () => {
    // The first bytes of an MP4, and then a list of other files.
    const head = (await files.bytesOf('asset_sample_clip')).subarray(0, 32);
    const file = await files.add(
      'b.mp4',
      Buffer.concat([head, Buffer.from('#EXTM3U\nfile:///etc/passwd\n')]),
    );
    const failed = run('transcode', { file, to: 'mp4' });
    await expect(failed).rejects.toThrow(/^file: cannot be read/);
    await expect(failed).rejects.not.toThrow(/\/tmp|\/etc/);
  });
});

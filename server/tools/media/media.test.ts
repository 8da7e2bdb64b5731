import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createHostileMovie, type HostileMovie } from './hostile-movie.fixture';
import { createMediaTool, suite } from './testing/media-tool';

const { files: getFiles, run, describeFile, expectPlayable, expectMemoryBound } = createMediaTool();

suite('media.transcode', () => {
  it.each(['gif', 'mp3'] as const)('creates %s that can be played', expectPlayable);

  it('reports progress, and removes sound and metadata if requested', async () => {
    const { output, progress } = await run('transcode', { to: 'mp4', mute: true, video_kbps: 100 });
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.at(-1)).toBeGreaterThan(0.9);
    expect(await describeFile(output.file.asset_id)).not.toMatch(/Audio:/);
  });

  it('reports what it cannot do', async () => {
    await expect(run('transcode', { file: 'asset_sample_tone', to: 'mp4' })).rejects.toThrow(
      /no video stream/,
    );
    await expect(run('transcode', { to: 'mp3', start_seconds: 99 })).rejects.toThrow(
      /start_seconds: the file has only/,
    );
    await expect(run('transcode', { to: 'mp3', duration_seconds: 601 })).rejects.toThrow(
      /duration_seconds|600/,
    );
    const silent = await run('transcode', { to: 'gif', duration_seconds: 0.5, max_width: 64 });
    await expect(run('extract_audio', { file: silent.output.file.asset_id })).rejects.toThrow(
      /no audio stream/,
    );
  });
});

suite('media.thumbnail', () => {
  it.each(['jpeg', 'png'])('extracts a frame as %s', async (format) => {
    const { output } = await run('thumbnail', { format, max_width: 100, at_seconds: 2 });
    const picture = await sharp(await getFiles().readBytes(output.file.asset_id)).metadata();
    expect(picture).toMatchObject({ format, width: 100 });
    expect(output.at_seconds).toBe(2);
  });

  it('refuses a position after the end, and a file without video', async () => {
    await expect(run('thumbnail', { at_seconds: 60 })).rejects.toThrow(
      /at_seconds: there is no frame at 60 s/,
    );
    await expect(run('thumbnail', { file: 'asset_sample_tone' })).rejects.toThrow(/no video stream/);
  });
});

suite('media.extract_audio', () => {
  it('extracts the sound', async () => {
    const { output } = await run('extract_audio', {});
    expect(output.file).toMatchObject({ filename: 'clip.mp3', content_type: 'audio/mpeg' });
    const seen = await describeFile(output.file.asset_id);
    expect(seen).toMatch(/Audio: mp3/);
    expect(seen).not.toMatch(/Video:/);
  });
});

suite('a file that claims more than it contains', () => {
  const add = (movie: HostileMovie) => getFiles().add('hostile.mp4', createHostileMovie(movie));

  it.runIf(process.platform === 'linux')('is ended when it takes too much memory @C5', () =>
    expectMemoryBound({}),
  );

  it('is refused for its streams and its pixels before they are decoded @C5', async () => {
    const streams = await add({ tracks: 17, samples: 1 });
    await expect(run('transcode', { file: streams, to: 'mp4' })).rejects.toThrow(
      /^file: there are more than 16 streams/,
    );
    const pixels = await add({ tracks: 1, samples: 1, side: 30_000 });
    await expect(run('thumbnail', { file: pixels })).rejects.toThrow(
      'file: the video has 30000 × 30000 pixels. Send at most 4096 × 2304.',
    );
  });
});

suite('a file given to ffmpeg', () => {
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
  it.each(playlists)('is never read as a list of other files: %s', async (name, contentOf) => {
    const other = await getFiles().scratch('txt');
    await writeFile(other, secret);
    const file = await getFiles().add(name, Buffer.from(contentOf(other)));
    const failed = run('transcode', { file, to: 'mp4' });
    await expect(failed).rejects.toThrow(/^file: the format .* is not supported/);
    await expect(run('thumbnail', { file })).rejects.not.toThrow(secret);
  });

  it('is read by the demuxer of its type, whatever it contains', async () => {
    // The first bytes of an MP4, followed by a list of other files.
    const head = (await getFiles().readBytes('asset_sample_clip')).subarray(0, 32);
    const file = await getFiles().add(
      'b.mp4',
      Buffer.concat([head, Buffer.from('#EXTM3U\nfile:///etc/passwd\n')]),
    );
    const failed = run('transcode', { file, to: 'mp4' });
    await expect(failed).rejects.toThrow(/^file: the media cannot be read/);
    await expect(failed).rejects.not.toThrow(/\/tmp|\/etc/);
  });
});

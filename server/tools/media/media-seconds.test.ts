import { expect, it } from 'vitest';
import { measureLeastBlock } from '@/test/support/measure-block';
import { formatSeconds, listStreams, resolveDuration, shortReason } from './media-file';

const media = (seconds: number | null) => ({
  filename: 'a.mp4',
  args: [],
  seconds,
  hasSound: true,
  picture: null,
});
const part = { start_seconds: 0 };

it.each([0, -1, Number.NaN])(
  'charges a file that claims %s seconds for the longest possible result @E30',
  (seconds) => {
    expect(resolveDuration(media(seconds), part)).toBe(600);
    expect(resolveDuration(media(seconds), { ...part, duration_seconds: 20 })).toBe(20);
  },
);

it('charges a file of known duration for its part', () => {
  expect(resolveDuration(media(30), { start_seconds: 10 })).toBe(20);
  expect(() => resolveDuration(media(30), { start_seconds: 30 })).toThrow('only 30 s');
});

it('finds streams in what ffmpeg prints, in linear time @E30', async () => {
  const printed = [
    '  Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p, 320x240',
    '    Stream #0:1: Audio: aac (LC)',
    '      Stream #0:2: Audio: a value of metadata',
  ].join('\n');
  expect(listStreams(printed).map(([, kind]) => kind)).toEqual(['Video', 'Audio']);
  const forged = `    Stream #0:${'2'.repeat(50_000)}: x`;
  const block = await measureLeastBlock(50, 2, async () => listStreams(forged));
  expect(block).toBeLessThan(50);
});

it('shows the last line that gives a reason, without addresses and paths, in linear time @E30', async () => {
  const printed = [
    '[mov,mp4 @ 0x55d0c1] moov atom not found at /srv/scratch/1/0.mp4',
    'Codec AVOption threads has not been used for any stream.',
    'At least one output file must be specified',
  ].join('\n');
  expect(shortReason(printed)).toBe('moov atom not found at the file');
  const forged = `    title: ${'['.repeat(16_000)}`;
  const block = await measureLeastBlock(50, 2, async () => shortReason(forged));
  expect(block).toBeLessThan(50);
});

it('writes times without an exponent', () => {
  expect(formatSeconds(1e-7)).toBe('0.000000');
  expect(formatSeconds(1.5)).toBe('1.500000');
});

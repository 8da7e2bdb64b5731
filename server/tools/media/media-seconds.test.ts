import { expect, it } from 'vitest';
import { measureLeastBlock } from '../../testing/measure-block';
import { listStreams, resolveDuration } from './media-file';

const media = (seconds: number | null) => ({
  filename: 'a.mp4',
  args: [],
  seconds,
  hasSound: true,
  picture: null,
});
const part = { start_seconds: 0 };

it.each([0, -1, Number.NaN])(
  'charges a file that claims %s seconds for the longest possible result',
  (seconds) => {
    expect(resolveDuration(media(seconds), part)).toBe(600);
    expect(resolveDuration(media(seconds), { ...part, duration_seconds: 20 })).toBe(20);
  },
);

it('charges a file of known duration for its part', () => {
  expect(resolveDuration(media(30), { start_seconds: 10 })).toBe(20);
  expect(() => resolveDuration(media(30), { start_seconds: 30 })).toThrow('only 30 s');
});

it('finds streams in what ffmpeg prints, in linear time', async () => {
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

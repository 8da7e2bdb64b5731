import { expect, it } from 'vitest';
import { resolveDuration } from './media-file';

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

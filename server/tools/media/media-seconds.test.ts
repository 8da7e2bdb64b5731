import { expect, it } from 'vitest';
import { secondsOf } from './media-file';

const media = (seconds: number | null) => ({
  filename: 'a.mp4',
  args: [],
  seconds,
  hasSound: true,
  picture: null,
});
const part = { start_seconds: 0 };

it.each([0, -1, Number.NaN])(
  'a file that claims %s seconds is charged for what may be made of it',
  (seconds) => {
    expect(secondsOf(media(seconds), part)).toBe(600);
    expect(secondsOf(media(seconds), { ...part, duration_seconds: 20 })).toBe(20);
  },
);

it('a file of a known length is charged for its part', () => {
  expect(secondsOf(media(30), { start_seconds: 10 })).toBe(20);
  expect(() => secondsOf(media(30), { start_seconds: 30 })).toThrow('only 30 s');
});

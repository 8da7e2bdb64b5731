import { expect, it } from 'vitest';
import { measureLeastBlock } from '@/test/support/measure-block';
import { PAGES_PATTERN } from './page-ranges.mjs';

const MAX_BLOCK_MS = 50;

it.each(['1-3,5,8-', ' 1 - 3 , 5 , 8 - ', '8 -', '1'])('accepts %j as pages', (pages) => {
  expect(pages).toMatch(PAGES_PATTERN);
});

it.each(['', '-1', '1,,2', '1-2-3', '1 2', 'x'])('accepts no %j', (pages) => {
  expect(pages).not.toMatch(PAGES_PATTERN);
});

it.each([`1 -${' '.repeat(20_000)}x`, `1${' '.repeat(20_000)}x`, `${'1 - 1 , '.repeat(10_000)}x`])(
  'takes linear time for a long text',
  async (pages) => {
    const block = await measureLeastBlock(MAX_BLOCK_MS, 2, async () => PAGES_PATTERN.test(pages));
    expect(block).toBeLessThan(MAX_BLOCK_MS);
  },
);

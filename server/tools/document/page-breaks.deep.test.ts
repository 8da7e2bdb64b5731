import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import {
  HEADED_BLOCKS,
  LAST_BLOCKS,
  LONELY_HEADING,
  readHeadedPages,
  readLastPage,
} from './testing/markdown-pages';

const files = await createFilesForTests();

describe('wherever a page ends', () => {
  it.each(LAST_BLOCKS)('the last page is never blank after $kind', async ({ block }) => {
    for (let count = 13; count < 21; count += 1)
      expect(await readLastPage(files, count, block)).toContain('last.');
  });

  it.each(HEADED_BLOCKS)('no heading is alone at the end of a page, before $kind', async ({ block }) => {
    for (let count = 24; count < 30; count += 1)
      for (const page of await readHeadedPages(files, count, block)) expect(page).not.toMatch(LONELY_HEADING);
  });
});

import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import {
  filler,
  HEADED_BLOCKS,
  LAST_BLOCKS,
  LONELY_HEADING,
  readHeadedPages,
  readLastPage,
  writePages,
} from './testing/markdown-pages';

const files = await createFilesForTests();
const write = (markdown: string, more?: object) => writePages(files, markdown, more);

describe('the last page of markdown_to_pdf', () => {
  it.each(LAST_BLOCKS)('is never blank after $kind, if a page is full', async ({ block, fills }) => {
    for (const count of [fills, fills + 1])
      expect(await readLastPage(files, count, block)).toContain('last.');
  });

  it('is never blank after 28 paragraphs and a last one', async () => {
    const { pages } = await write(`${filler(28)}\n\nlast.`, { page_numbers: false });
    expect(pages.at(-1)).toContain('last.');
  });
});

describe('page breaks', () => {
  it.each(HEADED_BLOCKS)(
    'leave no heading alone at the end of a page, before $kind',
    async ({ block, moved }) => {
      const pages = await readHeadedPages(files, moved, block);
      expect(pages).toHaveLength(2);
      for (const page of pages) expect(page).not.toMatch(LONELY_HEADING);
    },
  );

  it('put no last heading on a page of its own', async () => {
    expect((await write('words\n\n## Last')).pages).toHaveLength(1);
  });

  it('split code, quotes and tables that are longer than a page', async () => {
    const lines = Array.from({ length: 90 }, (_, at) => `line${at}`);
    const rows = lines.map((line) => `| ${line} | x |`).join('\n');
    for (const markdown of [
      `\`\`\`\n${lines.join('\n')}\n\`\`\``,
      `> ${lines.join('\n>\n> ')}`,
      `| a | b |\n|---|---|\n${rows}`,
      `- ${lines.join('\n- ')}`,
    ]) {
      const { pages } = await write(markdown);
      const words = pages.join(' ').split(/\s+/);
      expect(lines.filter((line) => !words.includes(line))).toEqual([]);
    }
  });
});

describe('footnotes of markdown_to_pdf', () => {
  it('are at the end, with links from their numbers', async () => {
    const { pages, document, warnings } = await write(
      'One[^a], two[^b], one again[^a].\n\nEnd of text.\n\n[^b]: Second *note*.\n[^a]: First.\n\n    More of it.\n',
    );
    const words = pages.join(' ').replace(/\s+/g, ' ');
    expect(words).toMatch(/One1, two2, one again1\. End of text\..*First\..*More of it\..*Second note\./);
    const links = (await (await document.getPage(1)).getAnnotations()).map(({ dest }) => dest);
    expect(links.sort()).toEqual(['note-1', 'note-1', 'note-2']);
    expect(Object.keys((await document.getDestinations()) ?? {})).toEqual(['note-1', 'note-2']);
    expect(warnings).toEqual([]);
  });
});

describe('content of markdown_to_pdf', () => {
  it('sets a title as it sets a heading, and takes it from one without its footnotes', async () => {
    const readLines = async ({ document }: Awaited<ReturnType<typeof write>>) => {
      const { items } = await (await document.getPage(1)).getTextContent();
      return items.map((item) => ('str' in item ? [item.str, item.transform] : []));
    };
    const heading = await write('# Given\n\nWords.');
    expect(await readLines(await write('Words.', { title: 'Given' }))).toEqual(await readLines(heading));
    const noted = await write('# Given[^1]\n\n[^1]: Note.');
    expect((await noted.document.getMetadata()).info).toMatchObject({ Title: 'Given' });
  });

  it('starts lists where the text starts them, and counts each for itself', async () => {
    const { pages } = await write('5. five\n6. six\n\nwords\n\n0. zero\n\n- a\n  1. in a\n- b\n  1. in b\n');
    const words = pages.join(' ').replace(/\s+/g, ' ');
    expect(words).toMatch(/five ?5\. ?six ?6\. ?words zero ?0\. /);
    expect(words.match(/in [ab] ?1\./g)).toHaveLength(2);
  });

  it('shows pictures in tables, headings and HTML', async () => {
    const { pictures, asset, pages } = await write(
      '# Head ![Logo](asset_sample_logo)\n\n| a | b |\n|---|---|\n| ![Photo](asset_sample_photo) | words |\n\n<p>one</p><p>two</p><img src="asset_sample_logo">\n',
    );
    expect(pictures).toBe(2);
    expect(pages.join(' ')).toMatch(/Head.*words.*one\s+two/s);
    const bytes = (await files.readBytes(asset)).toString('latin1');
    expect(bytes.match(/\/Subtype \/Image/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('decodes every entity of HTML and warns of letters that no font has', async () => {
    const { pages, warnings } = await write('&Auml;&frac12;&alpha; &copy;right &notanentity; שלום');
    expect(pages[0]).toContain('Ä½α ©right &notanentity;');
    expect(warnings).toEqual([expect.stringContaining('cannot draw: ש ל ו ם')]);
  });
});

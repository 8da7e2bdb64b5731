import { extractText, getDocumentProxy } from 'unpdf';
import type { TestFiles } from '@/test/support/test-files';
import { runSkill } from '../../sdk/skill-harness';
import { tool } from '../index';

// Markdown whose PDF ends near the end of a page, for both suites.

/** Writes Markdown as a PDF, and reads its pages. */
export async function writePages(files: TestFiles, markdown: string, more: object = {}) {
  const { output } = await runSkill(tool, 'markdown_to_pdf', { markdown, ...more }, { files });
  const asset: string = output.asset.asset_id;
  const document = await getDocumentProxy(new Uint8Array(await files.readBytes(asset)));
  const { text: pages } = await extractText(document);
  return { document, pages, asset, warnings: output.warnings, pictures: output.pictures };
}

/** Paragraphs of one line. */
export const filler = (count: number) =>
  Array.from({ length: count }, (_, at) => `Paragraph ${at + 1}`).join('\n\n');

/** Last blocks of a document; `fills` paragraphs before one fill the first page. */
export const LAST_BLOCKS = [
  { kind: 'a paragraph', block: 'last.', fills: 18 },
  { kind: 'a list', block: '- a\n- last.', fills: 17 },
  { kind: 'a quote', block: '> a\n>\n> last.', fills: 16 },
  { kind: 'a quote in a quote', block: '> a\n> > last.', fills: 16 },
  { kind: 'code', block: '```\na\nlast.\n```', fills: 17 },
  { kind: 'code in a quote', block: '> ```\n> last.\n> ```', fills: 17 },
];

/** Returns the last page of a small document that ends with a block. */
export async function readLastPage(files: TestFiles, paragraphs: number, block: string) {
  const options = { page_size: 'A5', page_numbers: false };
  return (await writePages(files, `${filler(paragraphs)}\n\n${block}`, options)).pages.at(-1);
}

const TABLE = '| Head | Second |\n|---|---|\n| first | a |\n';
/** Blocks after a heading; after `moved` paragraphs, they are the first on the second page. */
export const HEADED_BLOCKS = [
  { kind: 'a table', block: `${TABLE}| next | b |\n`, moved: 25 },
  { kind: 'code', block: '```\none\n```', moved: 27 },
  { kind: 'a quote', block: '> one', moved: 26 },
  { kind: 'a list', block: '- one', moved: 27 },
  { kind: 'another heading', block: `### Inner\n\n${TABLE}`, moved: 24 },
];
/** The end of a page that leaves its heading alone. */
export const LONELY_HEADING = /(Section|Inner|Head\s+Second)$/;

/** Returns the pages of a document with a heading before a block. */
export async function readHeadedPages(files: TestFiles, paragraphs: number, block: string) {
  const markdown = `${filler(paragraphs)}\n\n## Section\n\n${block}`;
  return (await writePages(files, markdown, { page_numbers: false })).pages.map((page) => page.trim());
}

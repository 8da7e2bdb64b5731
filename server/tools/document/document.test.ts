import mammoth from 'mammoth';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const files = await createFilesForTests();

const call = async (skill: string, input: Record<string, unknown>) =>
  (await runSkill(tool, skill, input, { files })).output;
const pdf = async (markdown: string, more: object = {}) =>
  await call('markdown_to_pdf', { markdown, ...more });
const docx = async (markdown: string, more: object = {}) =>
  await call('markdown_to_docx', { markdown, ...more });

type Output = { asset: { asset_id: string } };

/** Extracts the text of each page with another library. */
async function readPages(output: Output) {
  const document = await getDocumentProxy(new Uint8Array(await files.readBytes(output.asset.asset_id)));
  const { text } = await extractText(document);
  const [left = 0, bottom = 0, right = 0, top = 0] = (await document.getPage(1)).view;
  return {
    text,
    size: [Math.round(right - left), Math.round(top - bottom)],
    info: (await document.getMetadata()).info,
  };
}

async function readHtml(output: Output) {
  return (await mammoth.convertToHtml({ buffer: await files.readBytes(output.asset.asset_id) })).value;
}

const MARKDOWN = `# Title of *it*

Words with **bold**, \`code()\`, ~~gone~~ and a [link](https://example.com/x?a=1&b=2), AT&amp;T <b>tags</b>.
Same paragraph.

3. third
4. fourth
   - nested

- [x] done
- [ ] open

| Left | Right |
|:--|--:|
| a | **1,000** |

> quoted

\`\`\`
const code = 1;
  indented
\`\`\`

---
`;

describe('markdown_to_pdf', () => {
  it('renders every kind of block, with text that another library can read', async () => {
    const output = await pdf(MARKDOWN);
    expect(output).toMatchObject({ warnings: [], pictures: 0 });
    expect(output.asset).toMatchObject({ filename: 'title-of-it.pdf', content_type: 'application/pdf' });
    const { text, size, info } = await readPages(output);
    expect(text).toHaveLength(1);
    const words = text[0]?.replace(/\s+/g, ' ') ?? '';
    for (const part of [
      'Title of it',
      'Words with bold, code(), gone and a link, AT&T tags. Same paragraph.',
      // pdfmake writes list markers after the text, but positions them before it.
      'third3. fourth4. ',
      'nested',
      '[x] done',
      '1,000',
      'quoted',
      'const code = 1; indented',
      '1 / 1',
    ])
      expect(words).toContain(part);
    expect(size).toEqual([595, 842]);
    expect(info).toMatchObject({ Title: 'Title of it' });
  });

  it('applies page size, margins, title and author, and omits page numbers', async () => {
    const output = await pdf('Words.', {
      page_size: 'LETTER',
      orientation: 'landscape',
      title: 'Given',
      author: 'Ada',
      page_numbers: false,
    });
    const { text, size, info } = await readPages(output);
    expect(size).toEqual([792, 612]);
    expect(text[0]?.replace(/\s+/g, ' ').trim()).toBe('Given Words.');
    expect(info).toMatchObject({ Title: 'Given', Author: 'Ada' });
    expect(output.asset.filename).toBe('given.pdf');
  });

  it('lists headings with their pages, and never ends a page with a heading', async () => {
    const filler = 'word\n\n'.repeat(28);
    const { text } = await readPages(
      await pdf(`## First\n\n${filler}\n\n## Second\n\n${filler}`, { table_of_contents: true }),
    );
    expect(text[0]).toMatch(/Contents[\s\S]*First\s+1[\s\S]*Second\s+2/);
    for (const page of text) expect(page.trim()).not.toMatch(/Second\s*\d \/ \d$/);
  });

  it('embeds pictures from assets and URLs, and reports those it omitted', async () => {
    const output = await pdf(
      '![Photo](asset_sample_photo)\n\n![Logo](asset_sample_logo) ![Photo](asset_sample_photo)\n\n![A file](/etc/passwd) ![Data](data:image/png;base64,AAAA)',
    );
    expect(output.pictures).toBe(2);
    expect(output.warnings).toHaveLength(2);
    expect(output.warnings[0]).toContain('Omitted /etc/passwd');
    const { text } = await readPages(output);
    expect(text.join(' ')).toContain('A file');
    const bytes = (await files.readBytes(output.asset.asset_id)).toString('latin1');
    expect(bytes.match(/\/Subtype \/Image/g)?.length).toBeGreaterThanOrEqual(2);
    expect(bytes).not.toContain('root:');
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'omits a picture with the source %s, like any other that is invalid',
    async (source) => {
      const output = await pdf(`# Words\n\n![q](${source})`);
      expect(output).toMatchObject({
        pictures: 0,
        warnings: [expect.stringContaining(`Omitted ${source}`)],
      });
      expect((await readPages(output)).text.join(' ')).toContain('q');
    },
  );

  it('names a picture that cannot be loaded', async () => {
    await expect(pdf('![x](asset_nowhere)')).rejects.toThrow(/^markdown: picture asset_nowhere: /);
    await expect(pdf('![x](asset_sample_report)')).rejects.toThrow(
      /^markdown: picture asset_sample_report: the file is not a supported picture/,
    );
    const many = Array.from({ length: 21 }, (_, at) => `![x](asset_x${at})`).join('\n');
    await expect(pdf(many)).rejects.toThrow('markdown: the text has 21 pictures; the limit is 20');
  });

  it('replaces characters that its fonts lack, and warns if there is no replacement', async () => {
    const output = await pdf('a → b ✓ 日');
    expect((await readPages(output)).text[0]).toContain('a -> b √');
    expect(output.warnings).toEqual([expect.stringContaining('cannot draw: 日')]);
  });

  it('links only to URLs that are safe to open', async () => {
    const output = await pdf(
      '[a](https://example.com/a) [b](javascript:alert(1)) [c](file:///etc/passwd) [d](mailto:a@b.cc)',
    );
    const document = await getDocumentProxy(new Uint8Array(await files.readBytes(output.asset.asset_id)));
    const links = (await (await document.getPage(1)).getAnnotations()).map(({ url }) => url);
    expect(links.sort()).toEqual(['https://example.com/a', 'mailto:a@b.cc']);
  });

  it('refuses Markdown that is nested too deeply or empty', async () => {
    await expect(pdf('> '.repeat(50))).rejects.toThrow(/^markdown: the text is nested/);
    await expect(pdf('>'.repeat(20_000))).rejects.toThrow(/^markdown: the text is nested/);
    await expect(pdf(`${'*a* '.repeat(70_000)}`)).rejects.toThrow(/^markdown: the text has too many/);
    await expect(pdf('<!-- nothing -->')).rejects.toThrow('markdown: the document is empty.');
  });
});

describe('markdown_to_docx', () => {
  it('creates real headings, lists, tables and links, which another library reads', async () => {
    const output = await docx(MARKDOWN);
    expect(output.asset.filename).toBe('title-of-it.docx');
    const html = await readHtml(output);
    expect(html).toContain('<h1>Title of <em>it</em></h1>');
    expect(html).toContain('<strong>bold</strong>');
    expect(html).toContain('<s>gone</s>');
    expect(html).toContain('<a href="https://example.com/x?a=1&amp;b=2">link</a>');
    expect(html).toContain('AT&amp;T <strong>tags</strong>. Same paragraph.');
    expect(html).toMatch(/<ol><li>third<\/li><li>fourth<ul><li>nested<\/li><\/ul><\/li><\/ol>/);
    expect(html).toMatch(/<thead><tr><th><p><strong>Left<\/strong>/);
    expect(html).toContain('<strong>1,000</strong>');
    expect(html).toContain('const code = 1;<br />');
    expect(html).toContain('quoted');
  });

  it('supports pictures, any language and characters that XML must escape', async () => {
    const output = await docx('日本 <&> "x" \u0001\n\n![Our logo](asset_sample_logo)', { title: 'A & B' });
    const html = await readHtml(output);
    expect(html).toContain('<h1>A &amp; B</h1>');
    expect(html).toContain('日本 &lt;&amp;&gt; "x"');
    expect(html).toMatch(/<img alt="Our logo" src="data:image\/png;base64,/);
    expect(output).toMatchObject({ pictures: 1, warnings: [] });
  });
});

describe('render_email', () => {
  const mail = async (mjml: string, variables = {}) => await call('render_email', { mjml, variables });
  const section = (inner: string) => `<mj-section><mj-column>${inner}</mj-column></mj-section>`;

  it('returns HTML and the same text as plain text', async () => {
    const output = await mail(
      section(
        '<mj-text>Hello &amp; welcome,<br/>Ada</mj-text><mj-button href="https://example.com/a?b=1&amp;c=2">Start</mj-button>',
      ),
    );
    expect(output.html).toMatch(/^<!doctype html>/i);
    // What Outlook needs, and what phones do.
    expect(output.html).toContain('<!--[if mso | IE]><table');
    expect(output.html).toContain('@media only screen');
    expect(output.text).toBe('Hello & welcome,\nAda\n\nStart (https://example.com/a?b=1&c=2)');
    expect(output.warnings).toEqual([]);
    expect((await files.readBytes(output.asset.asset_id)).toString()).toBe(output.html);
    expect(output.asset).toMatchObject({ content_type: 'text/html', size_bytes: output.size_bytes });
  });

  it('inserts values as text, never as tags, and reports missing ones', async () => {
    const output = await mail(section('<mj-text>{{ name }} {{other}}</mj-text>'), {
      name: '<script>1</script>',
    });
    expect(output.html).toContain('&lt;script&gt;1&lt;/script&gt;');
    expect(output.html).not.toContain('<script>1');
    expect(output.warnings).toEqual(['There is no value for the variable {{other}}.']);
  });

  it('warns about problems by line, and refuses invalid MJML', async () => {
    const odd = await mail(
      `<mjml>\n<mj-body>\n${section('<mj-text nonsense="1">a</mj-text>')}</mj-body></mjml>`,
    );
    expect(odd.warnings[0]).toMatch(/^Line 3: .*nonsense/);
    await expect(mail('<mjml></mjml>')).rejects.toThrow('mjml: invalid document. Malformed MJML');
    expect((await mail('plain words')).warnings).toEqual([expect.stringContaining('The email is empty.')]);
  });

  it('includes no files', async () => {
    const include = '<mj-include path="/etc/passwd" type="html" />';
    await expect(mail(`<mjml><mj-body>${include}</mj-body></mjml>`)).rejects.toThrow(
      'mjml: mj-include is not supported',
    );
    await expect(mail('<mjml><mj-body>{{x}}</mj-body></mjml>', { x: include })).resolves.toMatchObject({
      html: expect.not.stringContaining('root:'),
    });
  });
});

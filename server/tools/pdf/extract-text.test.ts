import { PDFDocument, PDFHexString, PDFString, TextAlignment } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { createCjkDocument } from './cjk.fixture';

const files = await createFilesForTests();

const extract = async (document: PDFDocument, more: object = {}) => {
  const file = await files.add('made.pdf', await document.save());
  return (await runSkill(tool, 'extract_text', { file, ...more }, { files })).output;
};

async function createForm() {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 400]);
  const form = document.getForm();
  for (const [text, x, y] of [
    ['Name:', 20, 300],
    ['City:', 200, 300],
    ['I agree', 40, 200],
    ['Colour', 20, 150],
    ['End', 20, 50],
  ] as const)
    page.drawText(text, { x, y, size: 12 });
  const name = form.createTextField('person.name');
  name.setText('Ada Löve');
  name.addToPage(page, { x: 60, y: 295, width: 100, height: 20 });
  form.createTextField('person.city').addToPage(page, { x: 240, y: 295, width: 100, height: 20 });
  const agree = form.createCheckBox('agree');
  agree.addToPage(page, { x: 20, y: 198, width: 12, height: 12 });
  agree.check();
  form.createCheckBox('news').addToPage(page, { x: 120, y: 198, width: 12, height: 12 });
  const colour = form.createDropdown('colour');
  colour.setOptions(['red', 'blue']);
  colour.select('blue');
  colour.addToPage(page, { x: 70, y: 146, width: 80, height: 16 });
  const days = form.createOptionList('days');
  days.setOptions(['Mon', 'Tue', 'Wed']);
  days.enableMultiselect();
  days.select(['Mon', 'Wed']);
  days.addToPage(page, { x: 20, y: 100, width: 80, height: 30 });
  const secret = form.createTextField('secret');
  secret.enablePassword();
  secret.setText('hush');
  secret.addToPage(page, { x: 200, y: 100, width: 80, height: 16 });
  name.setAlignment(TextAlignment.Left);
  return document;
}

describe('extract_text of a filled form', () => {
  it('has the values in reading order in the text, and lists the fields', async () => {
    const output = await extract(await createForm());
    expect(output.pages[0].text).toBe('Name: Ada Löve City:\n[x] I agree\nColour blue\nMon, Wed\nEnd');
    expect(output.form_fields).toEqual([
      { name: 'person.name', type: 'text', page: 1, value: 'Ada Löve' },
      { name: 'person.city', type: 'text', page: 1, value: null },
      { name: 'agree', type: 'checkbox', page: 1, value: true },
      { name: 'news', type: 'checkbox', page: 1, value: false },
      { name: 'colour', type: 'choice', page: 1, value: 'blue' },
      { name: 'days', type: 'choice', page: 1, value: ['Mon', 'Wed'] },
      { name: 'secret', type: 'text', page: 1, value: null },
    ]);
    expect(output.truncated).toBe(false);
  });

  it('names the chosen button of a radio group once', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([200, 200]);
    page.drawText('red', { x: 40, y: 100, size: 12 });
    page.drawText('blue', { x: 120, y: 100, size: 12 });
    const group = document.getForm().createRadioGroup('colour');
    group.addOptionToPage('red', page, { x: 20, y: 98, width: 12, height: 12 });
    group.addOptionToPage('blue', page, { x: 100, y: 98, width: 12, height: 12 });
    group.select('blue');
    const output = await extract(document);
    expect(output.pages[0].text).toBe('red [x] blue');
    expect(output.form_fields).toHaveLength(1);
  });

  it('reads text typed on top of a page, and no hidden notes', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([200, 200]);
    page.drawText('Name:', { x: 20, y: 100, size: 12 });
    for (const [text, flags] of [
      ['Grace', 4],
      ['invisible', 2],
    ] as const)
      page.node.addAnnot(
        document.context.register(
          document.context.obj({
            Type: 'Annot',
            Subtype: 'FreeText',
            Rect: [60, 96, 160, 114],
            Contents: PDFHexString.fromText(text),
            DA: PDFString.of('/Helv 12 Tf 0 g'),
            F: flags,
          }),
        ),
      );
    expect((await extract(document)).pages[0].text).toBe('Name: Grace');
  });

  it('limits the characters of values as it limits the text', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([200, 200]);
    const field = document.getForm().createTextField('long');
    field.setText('x'.repeat(500));
    field.addToPage(page, { x: 20, y: 20, width: 100, height: 20 });
    const output = await extract(document, { max_characters: 100 });
    expect(output).toMatchObject({ characters: 100, truncated: true, form_fields: [] });
  });
});

describe('extract_text of CJK documents with predefined CMaps', () => {
  it.each([
    ['UniGB-UCS2-H', 'GB1', '4E2D6587', '中文'],
    ['GBK-EUC-H', 'GB1', 'D6D0CEC4', '中文'],
    ['UniJIS-UCS2-H', 'Japan1', '65E5672C8A9E', '日本語'],
    ['90ms-RKSJ-H', 'Japan1', '93FA967B8CEA', '日本語'],
    ['UniKS-UCS2-H', 'Korea1', 'D55CAD6D', '한국'],
    ['KSCms-UHC-H', 'Korea1', 'C7D1B1B9', '한국'],
    ['UniCNS-UTF16-H', 'CNS1', '7E419AD4', '繁體'],
    ['ETen-B5-H', 'CNS1', 'C163C5E9', '繁體'],
  ])('%s', async (cmap, ordering, hex, text) => {
    const output = await extract(await createCjkDocument(cmap, ordering, hex));
    expect(output).toMatchObject({ has_text: true, pages: [{ page: 1, text }] });
  });
});

describe('extract_text of a document with scans', () => {
  it('lists the pages without text between those with text', async () => {
    const document = await PDFDocument.create();
    for (const text of ['one', '', 'three', ''])
      document.addPage([100, 100]).drawText(text, { x: 10, y: 50, size: 12 });
    expect(await extract(document)).toMatchObject({ has_text: true, pages_without_text: [2, 4] });
    expect(await extract(document, { pages: '1,3' })).toMatchObject({ pages_without_text: [] });
    expect(await extract(document, { pages: '4,2,4' })).toMatchObject({
      has_text: false,
      pages_without_text: [4, 2],
    });
  });
});

it('names the page of a damaged document that cannot be read', async () => {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    '<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>',
  ].map((object, at) => `${at + 1} 0 obj${object}endobj`);
  const text = ['%PDF-1.7', ...objects, 'trailer<</Root 1 0 R>>', ''].join('\n');
  const file = await files.add('cycle.pdf', Buffer.from(text));
  const read = (pages: string) => runSkill(tool, 'extract_text', { file, pages }, { files });
  await expect(read('1-2')).rejects.toThrow('file: page 2 is damaged. Leave it out with pages');
  expect((await read('1')).output.page_count).toBe(2);
});

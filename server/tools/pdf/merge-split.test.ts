import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFString,
} from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const files = await createFilesForTests();

const call = async (skill: string, input: Record<string, unknown>) =>
  (await runSkill(tool, skill, input, { files })).output;
const add = async (document: PDFDocument) =>
  await files.add('made.pdf', await document.save({ updateFieldAppearances: false }));
const merge = async (...documents: PDFDocument[]) =>
  await call('merge', {
    files: await Promise.all(documents.map(async (document) => ({ file: await add(document) }))),
  });
const split = async (document: PDFDocument, ranges: string[]) =>
  await call('split', { file: await add(document), ranges });
const read = async (file: string) => await call('extract_text', { file });
const open = async (file: string) => await PDFDocument.load(await files.readBytes(file));

/** Two pages, each with a text field. */
async function createForm(value = 'Ada', prefix = '') {
  const document = await PDFDocument.create();
  for (const field of ['name', 'city']) {
    const page = document.addPage([200, 100]);
    page.drawText(`${field}:`, { x: 10, y: 50, size: 12 });
    const text = document.getForm().createTextField(prefix + field);
    text.setText(field === 'name' ? value : 'Paris');
    text.addToPage(page, { x: 60, y: 45, width: 100, height: 20 });
  }
  return document;
}

function removeAppearances(document: PDFDocument) {
  for (const page of document.getPages())
    for (const annotation of page.node.Annots()?.asArray() ?? [])
      document.context.lookup(annotation, PDFDict).delete(PDFName.of('AP'));
  return document;
}

/** Three pages with the bookmarks Start > (Middle, named End), and a link from the first to End. */
async function createBook(prefix = '') {
  const document = await PDFDocument.create();
  const { context, catalog } = document;
  const pages = ['one', 'two', 'three'].map((text) => {
    const page = document.addPage([200, 100]);
    page.drawText(prefix + text, { x: 10, y: 50, size: 12 });
    return page;
  });
  const to = (page: PDFPage | undefined) => context.obj([page?.ref ?? null, 'Fit']);
  const names = context.obj({ Names: [PDFString.of('the end'), to(pages[2])] });
  catalog.set(PDFName.of('Names'), context.obj({ Dests: names }));
  const [root, start, middle, end] = [1, 2, 3, 4].map(() => context.nextRef());
  if (!root || !start || !middle || !end) throw new Error('No references');
  context.assign(root, context.obj({ Type: 'Outlines', First: start, Last: start, Count: 1 }));
  context.assign(
    start,
    context.obj({
      Title: PDFHexString.fromText(`${prefix}Start`),
      Parent: root,
      First: middle,
      Last: end,
      Count: 2,
      Dest: to(pages[0]),
    }),
  );
  context.assign(
    middle,
    context.obj({
      Title: PDFHexString.fromText(`${prefix}Mitte ü`),
      Parent: start,
      Next: end,
      A: { S: 'GoTo', D: to(pages[1]) },
    }),
  );
  context.assign(
    end,
    context.obj({
      Title: PDFHexString.fromText(`${prefix}End`),
      Parent: start,
      Prev: middle,
      Dest: PDFString.of('the end'),
    }),
  );
  catalog.set(PDFName.of('Outlines'), root);
  pages[0]?.node.addAnnot(
    context.register(
      context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 50, 50], Dest: PDFString.of('the end') }),
    ),
  );
  return document;
}

/** The bookmarks as pdf.js reads them: titles with the numbers of their pages. */
async function readBookmarks(file: string) {
  const pdf = await getDocumentProxy(new Uint8Array(await files.readBytes(file)));
  type Item = NonNullable<Awaited<ReturnType<typeof pdf.getOutline>>>[number];
  const describeItem = async ({ title, dest, items }: Item): Promise<unknown> => {
    const [page] = Array.isArray(dest) ? dest : [];
    const number = page ? (await pdf.getPageIndex(page)) + 1 : null;
    return items.length === 0 ? [title, number] : [title, number, await Promise.all(items.map(describeItem))];
  };
  return await Promise.all(((await pdf.getOutline()) ?? []).map(describeItem));
}

describe('form fields', () => {
  it('stay fields with their values when documents are merged', async () => {
    const output = await merge(await createForm(), await createForm('Grace', 'second.'));
    expect(output.warnings).toEqual([]);
    expect((await read(output.asset.asset_id)).form_fields).toEqual([
      { name: 'name', type: 'text', page: 1, value: 'Ada' },
      { name: 'city', type: 'text', page: 2, value: 'Paris' },
      { name: 'second.name', type: 'text', page: 3, value: 'Grace' },
      { name: 'second.city', type: 'text', page: 4, value: 'Paris' },
    ]);
    const form = (await open(output.asset.asset_id)).getForm();
    form.getTextField('second.name').setText('changed');
    expect(form.getFields().map((field) => field.getName())).toEqual([
      'name',
      'city',
      'second.name',
      'second.city',
    ]);
  });

  it('that have the name of another are renamed, so that both values stay', async () => {
    const output = await merge(await createForm('Ada'), await createForm('Grace'));
    expect(output.warnings).toEqual([
      'files.1.file: Form fields with the name of another were renamed: name to name+1, city to city+1.',
    ]);
    const { form_fields } = await read(output.asset.asset_id);
    expect(form_fields).toMatchObject([
      { name: 'name', value: 'Ada' },
      { name: 'city' },
      { name: 'name+1', value: 'Grace' },
      { name: 'city+1' },
    ]);
  });

  it('go with their pages when a document is split, and take no values of other pages along', async () => {
    const document = await createForm('secret Ada', 'person.');
    const { parts, warnings } = await split(document, ['2', '1']);
    expect(warnings).toEqual([]);
    const [second, first] = parts.map(({ asset }: { asset: { asset_id: string } }) => asset.asset_id);
    expect((await read(second)).form_fields).toEqual([
      { name: 'person.city', type: 'text', page: 1, value: 'Paris' },
    ]);
    expect((await read(first)).form_fields).toMatchObject([{ name: 'person.name', value: 'secret Ada' }]);
    const objects = (await open(second)).context
      .enumerateIndirectObjects()
      .map(([, object]) => String(object));
    expect(objects.join('\n')).not.toContain(PDFHexString.fromText('secret Ada').asString());
    expect(objects.filter((object) => /\/Type \/Page\b/.test(object))).toHaveLength(1);
  });

  it('without an appearance are drawn, so that their values stay visible', async () => {
    const output = await merge(removeAppearances(await createForm()), await createBook());
    const { pages } = await call('render_pages', { file: output.asset.asset_id, pages: '1', dpi: 72 });
    const picture = sharp(await files.readBytes(pages[0].asset.asset_id)).extract({
      ...{ left: 62, top: 38, width: 90, height: 14 },
    });
    const { channels } = await picture.stats();
    expect(channels[0]?.min).toBeLessThan(100);
    const [page] = (await open(output.asset.asset_id)).getPages();
    expect(page?.node.Annots()?.lookup(0, PDFDict).has(PDFName.of('AP'))).toBe(true);
  });

  it('whose values cannot be drawn are named', async () => {
    const document = await createForm();
    const { dict } = document.getForm().getTextField('name').acroField;
    dict.set(PDFName.of('V'), PDFHexString.fromText('名前'));
    const output = await merge(removeAppearances(document), await createBook());
    expect(output.warnings).toEqual([
      expect.stringMatching(/^files\.0\.file: The values .* show them: name\.$/),
    ]);
    expect((await read(output.asset.asset_id)).pages[0].text).toBe('name: 名前');
  });

  it('leave signatures and attached files out with a warning', async () => {
    const document = await createForm();
    const { context } = document;
    const signature = context.register(
      context.obj({
        ...{ Type: 'Annot', Subtype: 'Widget', FT: 'Sig', Rect: [0, 0, 0, 0] },
        T: PDFString.of('sign'),
        V: { Type: 'Sig', Contents: PDFHexString.of('00') },
      }),
    );
    document.getPages()[0]?.node.addAnnot(signature);
    document.getForm().acroForm.addField(signature);
    await document.attach(new Uint8Array([1]), 'a.txt');
    const { warnings } = await split(document, ['1', '1-2']);
    expect(warnings).toEqual([
      'Digital signatures would not be valid and were left out: sign.',
      'Files attached to the document were left out.',
    ]);
  });
});

describe('bookmarks and links', () => {
  it('follow their pages when documents are merged', async () => {
    const output = await merge(await createBook('a '), await createForm(), await createBook('b '));
    expect(await readBookmarks(output.asset.asset_id)).toEqual([
      [
        'a Start',
        1,
        [
          ['a Mitte ü', 2],
          ['a End', 3],
        ],
      ],
      [
        'b Start',
        6,
        [
          ['b Mitte ü', 7],
          ['b End', 8],
        ],
      ],
    ]);
    const pdf = await getDocumentProxy(new Uint8Array(await files.readBytes(output.asset.asset_id)));
    const links = await (await pdf.getPage(6)).getAnnotations();
    expect(await pdf.getPageIndex(links[0].dest[0])).toBe(7);
  });

  it('keep only what leads to the pages of a part', async () => {
    const { parts } = await split(await createBook(), ['3', '3,1', '2']);
    const [last, both, middle] = parts.map(({ asset }: { asset: { asset_id: string } }) => asset.asset_id);
    expect(await readBookmarks(last)).toEqual([['Start', null, [['End', 1]]]]);
    expect(await readBookmarks(both)).toEqual([['Start', 2, [['End', 1]]]]);
    expect(await readBookmarks(middle)).toEqual([['Start', null, [['Mitte ü', 1]]]]);
    const texts = (await open(last)).context
      .enumerateIndirectObjects()
      .filter(([, object]) => /\/Type \/Page\b/.test(String(object)));
    expect(texts).toHaveLength(1);
  });
});

describe('layers and repeated pages', () => {
  it('keep hidden content hidden', async () => {
    const document = await createForm();
    const { context, catalog } = document;
    const layer = context.register(context.obj({ Type: 'OCG', Name: PDFString.of('Hidden') }));
    catalog.set(
      PDFName.of('OCProperties'),
      context.obj({ OCGs: [layer], D: { OFF: [layer], Order: [layer] } }),
    );
    const output = await merge(document, await createBook());
    const properties = (await open(output.asset.asset_id)).catalog.lookup(
      PDFName.of('OCProperties'),
      PDFDict,
    );
    expect(properties.lookup(PDFName.of('D'), PDFDict).lookup(PDFName.of('OFF'), PDFArray).size()).toBe(1);
  });

  it('take a page as often as it is named', async () => {
    const { parts } = await split(await createForm(), ['1,1,2,1']);
    const { pages } = await read(parts[0].asset.asset_id);
    expect(pages.map(({ text }: { text: string }) => text)).toEqual([
      'name: Ada',
      'name: Ada',
      'city: Paris',
      'name: Ada',
    ]);
  });
});

it('takes the pages that viewers show, whatever types and parents their objects name', async () => {
  const document = await createBook();
  const [first, second] = document.getPages();
  for (const node of [document.catalog, document.catalog.Pages(), first?.node])
    node?.delete(PDFName.of('Type'));
  second?.node.set(PDFName.of('Parent'), second.ref);
  document.catalog.Pages().set(PDFName.of('Rotate'), document.context.obj(90));
  const { asset, page_count } = await merge(document, await createBook('again '));
  expect(page_count).toBe(6);
  const { pages } = await read(asset.asset_id);
  expect(pages.map(({ text }: { text: string }) => text)).toEqual([
    ...['one', 'two', 'three'],
    ...['again one', 'again two', 'again three'],
  ]);
  const merged = await open(asset.asset_id);
  expect(merged.getPages().map((page) => page.getRotation().angle)).toEqual([90, 90, 90, 0, 0, 0]);
});

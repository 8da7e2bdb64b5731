import { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { createCjkDocument } from './cjk.fixture';

const REPORT = 'asset_sample_report';

let files: TestFiles;
/** Two pages, encrypted with the password "open sesame". */
let locked: string;
beforeAll(async () => {
  files = await createTestFiles();
  const document = await createDocument(['secret one', 'secret two']);
  document.encrypt({ userPassword: 'open sesame', ownerPassword: 'owner' });
  locked = await files.add('locked.pdf', await document.save());
});
afterAll(async () => {
  await files.remove();
});

const run = async (skill: string, input: Record<string, unknown>) =>
  await runSkill(tool, skill, input, { files });
const call = async (skill: string, input: Record<string, unknown>) => (await run(skill, input)).output;

async function createDocument(texts: string[], size: [number, number] = [200, 100]) {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) {
    const page = document.addPage(size);
    page.drawRectangle({ x: 0, y: 0, width: size[0], height: size[1] / 2, color: rgb(1, 0, 0) });
    page.drawText(text, { x: 10, y: size[1] - 30, size: 12, font });
  }
  return document;
}

/** Extracts the text of each page of an asset with pdf.js. */
async function readTexts(assetId: string) {
  return (await extractText(new Uint8Array(await files.readBytes(assetId)))).text;
}

describe('extract_text', () => {
  it('returns the text of each page in lines, and the metadata of the document', async () => {
    const output = await call('extract_text', { file: REPORT });
    expect(output).toMatchObject({ page_count: 3, truncated: false, has_text: true });
    expect(output.pages[1]).toEqual({
      page: 2,
      text: 'Cargo\nGrain: 48,200 tonnes\nTimber: 17,900 tonnes\nMachines: 3,150 tonnes\nPage 2 of 3',
    });
    expect(output.metadata).toMatchObject({
      title: 'Harbour report',
      created_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('reads only the requested pages, in their order', async () => {
    const { pages } = await call('extract_text', { file: REPORT, pages: '3, 1-2' });
    expect(pages.map(({ page }: { page: number }) => page)).toEqual([3, 1, 2]);
    expect((await call('extract_text', { file: REPORT, pages: '2-' })).pages).toHaveLength(2);
  });

  it('stops at the limit and reports it', async () => {
    const output = await call('extract_text', { file: REPORT, max_characters: 200 });
    expect(output).toMatchObject({ truncated: true, characters: 200 });
  });

  it('reports that a scan has no text', async () => {
    const document = await PDFDocument.create();
    document.addPage([100, 100]);
    const file = await files.add('scan.pdf', await document.save());
    expect(await call('extract_text', { file })).toMatchObject({
      has_text: false,
      characters: 0,
      page_count: 1,
    });
  });
});

describe('a file that cannot be opened', () => {
  const skills: [string, (file: string) => Record<string, unknown>, string][] = [
    ['extract_text', (file) => ({ file }), 'file'],
    ['split', (file) => ({ file }), 'file'],
    ['render_pages', (file) => ({ file }), 'file'],
    ['merge', (file) => ({ files: [{ file }, { file: REPORT }] }), 'files.0.file'],
  ];
  const passwordOf: Record<string, (password: string) => Record<string, unknown>> = {
    merge: (password) => ({ files: [{ file: locked, password }, { file: REPORT }] }),
  };

  it.each(skills)(
    '%s refuses a file that is not a PDF, or a truncated one',
    async (skill, inputOf, field) => {
      const words = `${field}: the file is not a PDF, or it is damaged. Send an intact PDF.`;
      await expect(call(skill, inputOf('asset_sample_photo'))).rejects.toThrow(words);
      const cut = await files.add('cut.pdf', (await files.readBytes(REPORT)).subarray(0, 300));
      const copies = skill === 'merge' || skill === 'split';
      await expect(call(skill, inputOf(cut))).rejects.toThrow(
        copies ? `${field}: the PDF is damaged, or its structure is not supported` : words,
      );
    },
  );

  it.each(skills)(
    '%s requires the password of an encrypted PDF, and accepts only the right one',
    async (skill, inputOf, field) => {
      await expect(call(skill, inputOf(locked))).rejects.toThrow(
        `${field}: the PDF is encrypted. Pass its password.`,
      );
      const withPassword = passwordOf[skill] ?? ((password: string) => ({ file: locked, password }));
      await expect(call(skill, withPassword('wrong'))).rejects.toThrow(
        /password: wrong password for this PDF/,
      );
      expect(await call(skill, withPassword('open sesame'))).toBeTypeOf('object');
    },
  );

  it('names a page that does not exist', async () => {
    const beyond = '2-9 is beyond the end; the document has 3 pages.';
    await expect(call('extract_text', { file: REPORT, pages: '2-9' })).rejects.toThrow(`pages: ${beyond}`);
    await expect(call('render_pages', { file: REPORT, pages: '4' })).rejects.toThrow('pages: 4 is beyond');
    await expect(call('split', { file: REPORT, ranges: ['1', '2-9'] })).rejects.toThrow(
      `ranges.1: ${beyond}`,
    );
    await expect(call('split', { file: REPORT, ranges: ['3-2'] })).rejects.toThrow(
      'the range 3-2 ends before it starts',
    );
    await expect(call('extract_text', { file: REPORT, pages: '0' })).rejects.toThrow('start at 1');
    await expect(call('extract_text', { file: REPORT, pages: 'all' })).rejects.toThrow('numbers and ranges');
  });
});

describe('merge and split', () => {
  it('merges pages in the given order, and other libraries read them', async () => {
    const other = await files.add('other.pdf', await (await createDocument(['from another file'])).save());
    const output = await call('merge', {
      files: [{ file: REPORT, pages: '3,1' }, { file: other }],
      title: 'Both',
    });
    expect(output).toMatchObject({ page_count: 3, pages_from: [2, 1] });
    const texts = await readTexts(output.asset.asset_id);
    expect(texts[0]).toContain('Outlook');
    expect(texts[1]).toContain('412 ships');
    expect(texts[2]).toContain('from another file');
    expect((await call('extract_text', { file: output.asset.asset_id })).metadata.title).toBe('Both');
  });

  it('splits by ranges and after every n pages', async () => {
    const byRange = await call('split', { file: REPORT, ranges: ['2-3', '1'] });
    expect(byRange.parts.map(({ pages }: { pages: string }) => pages)).toEqual(['2-3', '1']);
    expect(await readTexts(byRange.parts[0].asset.asset_id)).toHaveLength(2);
    expect((await readTexts(byRange.parts[1].asset.asset_id))[0]).toContain('412 ships');
    const byCount = await call('split', { file: REPORT, every: 2 });
    expect(byCount.parts.map(({ pages }: { pages: string }) => pages)).toEqual(['1-2', '3']);
  });

  it('copies the pages of an encrypted document without its password', async () => {
    const { parts } = await call('split', { file: locked, password: 'open sesame', ranges: ['2'] });
    expect((await readTexts(parts[0].asset.asset_id))[0]).toContain('secret two');
  });

  it('creates no more files and pages than the limits allow', async () => {
    const long = await files.add(
      'long.pdf',
      await (await createDocument(Array.from({ length: 60 }, () => 'x'))).save(),
    );
    await expect(call('split', { file: long, every: 1 })).rejects.toThrow(
      /60 pages would become 60 files; the limit per call is 50/,
    );
    await expect(call('render_pages', { file: long, dpi: 36 })).rejects.toThrow('limit per call is 50');
    const many = { file: long, pages: '1-60,'.repeat(20).slice(0, -1) };
    await expect(call('merge', { files: [many, many] })).rejects.toThrow('exceed 2000 pages');
  });
});

describe('render_pages', () => {
  it('renders a page in its colours and size', async () => {
    const file = await files.add('red.pdf', await (await createDocument(['red below'])).save());
    const { output, usage, progress } = await run('render_pages', { file, dpi: 144 });
    expect(output.pages[0]).toMatchObject({ page: 1, width: 400, height: 200 });
    expect(usage).toEqual({ units: 1 });
    expect(progress.at(-1)).toBe(1);
    const picture = sharp(await files.readBytes(output.pages[0].asset.asset_id));
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: 400, height: 200 });
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * 400 + x) * info.channels).subarray(0, 3)];
    expect(at(200, 150)).toEqual([255, 0, 0]);
    expect(at(350, 20)).toEqual([255, 255, 255]);
  });

  it('names the fonts that a PDF lacks, whose text may be missing', async () => {
    const document = await createCjkDocument('UniGB-UCS2-H', 'GB1', '4E2D6587');
    document.insertPage(0, [100, 100]).drawText('Latin', { x: 10, y: 50, size: 12 });
    const file = await files.add('cjk.pdf', await document.save());
    const { warnings } = await call('render_pages', { file, dpi: 36 });
    expect(warnings).toEqual([
      'The font STSong-Light is not in the PDF, so its text may be missing in the picture of page 2; extract_text reads it.',
    ]);
    expect((await call('render_pages', { file, dpi: 36, pages: '1' })).warnings).toEqual([]);
  });

  it('renders JPEG, and transparent paper', async () => {
    const jpeg = await call('render_pages', { file: REPORT, pages: '2', format: 'jpeg', dpi: 72 });
    const picture = sharp(await files.readBytes(jpeg.pages[0].asset.asset_id));
    expect(await picture.metadata()).toMatchObject({ format: 'jpeg', width: 595, height: 842 });
    const clear = await call('render_pages', { file: REPORT, pages: '2', dpi: 36, transparent: true });
    const stats = await sharp(await files.readBytes(clear.pages[0].asset.asset_id)).stats();
    expect(stats.isOpaque).toBe(false);
  });

  it('refuses a page of too many pixels before rendering it', async () => {
    const file = await files.add('huge.pdf', await (await createDocument(['huge'], [14_400, 14_400])).save());
    await expect(call('render_pages', { file, dpi: 300 })).rejects.toThrow(
      /^dpi: page 1 would have 3600 million/,
    );
  });

  it('quotes the requested pages, and charges the rendered ones', () => {
    const { price } = findSkill(tool, 'render_pages');
    expect(price.quote({ pages: '1-3,7' }).platformFee).toBe(8_000n);
    expect(price.quote({}).platformFee).toBe(100_000n);
    expect(price.quote({ pages: '2-' }).platformFee).toBe(100_000n);
    expect(price.settle({}, { units: 3 }).platformFee).toBe(6_000n);
  });
});

import { PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeWorkers } from '../../platform/workers/cpu-pool';
import { runSkill, skillOf } from '../sdk/skill-harness';
import { createTestFiles, type TestFiles } from '../sdk/test-files';
import { tool } from '.';

const REPORT = 'asset_sample_report';

let files: TestFiles;
/** Of two pages, opened by "open sesame" only. */
let locked: string;
beforeAll(async () => {
  files = await createTestFiles();
  const document = await documentOf(['secret one', 'secret two']);
  document.encrypt({ userPassword: 'open sesame', ownerPassword: 'owner' });
  locked = await files.add('locked.pdf', await document.save());
});
afterAll(async () => {
  closeWorkers();
  await files.remove();
});

const run = async (skill: string, input: Record<string, unknown>) =>
  await runSkill(tool, skill, input, { files });
const call = async (skill: string, input: Record<string, unknown>) => (await run(skill, input)).output;

async function documentOf(texts: string[], size: [number, number] = [200, 100]) {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) {
    const page = document.addPage(size);
    page.drawRectangle({ x: 0, y: 0, width: size[0], height: size[1] / 2, color: rgb(1, 0, 0) });
    page.drawText(text, { x: 10, y: size[1] - 30, size: 12, font });
  }
  return document;
}

/** The text of each page of an asset, by pdf.js. */
async function textsOf(assetId: string) {
  return (await extractText(new Uint8Array(await files.bytesOf(assetId)))).text;
}

describe('extract_text', () => {
  it('gives the words of each page in lines, and what the document says about itself', async () => {
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

  it('reads only the pages asked for, in their order', async () => {
    const { pages } = await call('extract_text', { file: REPORT, pages: '3, 1-2' });
    expect(pages.map(({ page }: { page: number }) => page)).toEqual([3, 1, 2]);
    expect((await call('extract_text', { file: REPORT, pages: '2-' })).pages).toHaveLength(2);
  });

  it('stops at the limit and says so', async () => {
    const output = await call('extract_text', { file: REPORT, max_characters: 200 });
    expect(output).toMatchObject({ truncated: true, characters: 200 });
  });

  it('says of a scan that it holds no text', async () => {
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

describe('what cannot be opened', () => {
  const skills: [string, (file: string) => Record<string, unknown>, string][] = [
    ['extract_text', (file) => ({ file }), 'file'],
    ['split', (file) => ({ file }), 'file'],
    ['render_pages', (file) => ({ file }), 'file'],
    ['merge', (file) => ({ files: [{ file }, { file: REPORT }] }), 'files.0.file'],
  ];
  const passwordOf: Record<string, (password: string) => Record<string, unknown>> = {
    merge: (password) => ({ files: [{ file: locked, password }, { file: REPORT }] }),
  };

  it.each(skills)('%s refuses what is no PDF, or half of one', async (skill, inputOf, field) => {
    const words = `${field}: is not a PDF, or a damaged one, and cannot be read.`;
    await expect(call(skill, inputOf('asset_sample_photo'))).rejects.toThrow(words);
    const cut = await files.add('cut.pdf', (await files.bytesOf(REPORT)).subarray(0, 300));
    await expect(call(skill, inputOf(cut))).rejects.toThrow(words);
  });

  it.each(skills)(
    '%s asks for the password of an encrypted one, and takes only the right',
    async (skill, inputOf, field) => {
      await expect(call(skill, inputOf(locked))).rejects.toThrow(
        `${field}: the PDF is encrypted. Give its password.`,
      );
      const withPassword = passwordOf[skill] ?? ((password: string) => ({ file: locked, password }));
      await expect(call(skill, withPassword('wrong'))).rejects.toThrow(/password: it does not open the PDF/);
      expect(await call(skill, withPassword('open sesame'))).toBeTypeOf('object');
    },
  );

  it('names the page that does not exist', async () => {
    const beyond = '2-9 lies beyond the end, the document has 3 pages.';
    await expect(call('extract_text', { file: REPORT, pages: '2-9' })).rejects.toThrow(`pages: ${beyond}`);
    await expect(call('render_pages', { file: REPORT, pages: '4' })).rejects.toThrow('pages: 4 lies beyond');
    await expect(call('split', { file: REPORT, ranges: ['1', '2-9'] })).rejects.toThrow(
      `ranges.1: ${beyond}`,
    );
    await expect(call('split', { file: REPORT, ranges: ['3-2'] })).rejects.toThrow(
      '3-2 ends before it begins',
    );
    await expect(call('extract_text', { file: REPORT, pages: '0' })).rejects.toThrow('counted from 1');
    await expect(call('extract_text', { file: REPORT, pages: 'all' })).rejects.toThrow('numbers and ranges');
  });
});

describe('merge and split', () => {
  it('puts pages in the order given, and other libraries read them', async () => {
    const other = await files.add('other.pdf', await (await documentOf(['from another file'])).save());
    const output = await call('merge', {
      files: [{ file: REPORT, pages: '3,1' }, { file: other }],
      title: 'Both',
    });
    expect(output).toMatchObject({ page_count: 3, pages_from: [2, 1] });
    const texts = await textsOf(output.asset.asset_id);
    expect(texts[0]).toContain('Outlook');
    expect(texts[1]).toContain('412 ships');
    expect(texts[2]).toContain('from another file');
    expect((await call('extract_text', { file: output.asset.asset_id })).metadata.title).toBe('Both');
  });

  it('cuts by ranges and after every so many pages', async () => {
    const byRange = await call('split', { file: REPORT, ranges: ['2-3', '1'] });
    expect(byRange.parts.map(({ pages }: { pages: string }) => pages)).toEqual(['2-3', '1']);
    expect(await textsOf(byRange.parts[0].asset.asset_id)).toHaveLength(2);
    expect((await textsOf(byRange.parts[1].asset.asset_id))[0]).toContain('412 ships');
    const byCount = await call('split', { file: REPORT, every: 2 });
    expect(byCount.parts.map(({ pages }: { pages: string }) => pages)).toEqual(['1-2', '3']);
  });

  it('gives the pages of an encrypted document without its password', async () => {
    const { parts } = await call('split', { file: locked, password: 'open sesame', ranges: ['2'] });
    expect((await textsOf(parts[0].asset.asset_id))[0]).toContain('secret two');
  });

  it('makes no more files and no more pages than it may', async () => {
    const long = await files.add(
      'long.pdf',
      await (await documentOf(Array.from({ length: 60 }, () => 'x'))).save(),
    );
    await expect(call('split', { file: long, every: 1 })).rejects.toThrow(
      /60 pages would become 60 files, .* at most 50/,
    );
    await expect(call('render_pages', { file: long, dpi: 36 })).rejects.toThrow('at most 50');
    const many = { file: long, pages: '1-60,'.repeat(20).slice(0, -1) };
    await expect(call('merge', { files: [many, many] })).rejects.toThrow('more than 2000 pages');
  });
});

describe('render_pages', () => {
  it('draws what is on the page in its colours and its size', async () => {
    const file = await files.add('red.pdf', await (await documentOf(['red below'])).save());
    const { output, usage, progress } = await run('render_pages', { file, dpi: 144 });
    expect(output.pages[0]).toMatchObject({ page: 1, width: 400, height: 200 });
    expect(usage).toEqual({ units: 1 });
    expect(progress.at(-1)).toBe(1);
    const picture = sharp(await files.bytesOf(output.pages[0].asset.asset_id));
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: 400, height: 200 });
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * 400 + x) * info.channels).subarray(0, 3)];
    expect(at(200, 150)).toEqual([255, 0, 0]);
    expect(at(350, 20)).toEqual([255, 255, 255]);
  });

  it('draws JPEG, and paper that is transparent', async () => {
    const jpeg = await call('render_pages', { file: REPORT, pages: '2', format: 'jpeg', dpi: 72 });
    const picture = sharp(await files.bytesOf(jpeg.pages[0].asset.asset_id));
    expect(await picture.metadata()).toMatchObject({ format: 'jpeg', width: 595, height: 842 });
    const clear = await call('render_pages', { file: REPORT, pages: '2', dpi: 36, transparent: true });
    const stats = await sharp(await files.bytesOf(clear.pages[0].asset.asset_id)).stats();
    expect(stats.isOpaque).toBe(false);
  });

  it('refuses a page of too many pixels before drawing it', async () => {
    const file = await files.add('huge.pdf', await (await documentOf(['huge'], [14_400, 14_400])).save());
    await expect(call('render_pages', { file, dpi: 300 })).rejects.toThrow(
      /^dpi: page 1 would have 3600 million/,
    );
  });

  it('holds the price of the pages asked for, and is settled by the pages drawn', () => {
    const { price } = skillOf(tool, 'render_pages');
    expect(price.quote({ pages: '1-3,7' }).platformFee).toBe(8_000n);
    expect(price.quote({}).platformFee).toBe(100_000n);
    expect(price.quote({ pages: '2-' }).platformFee).toBe(100_000n);
    expect(price.settle({}, { units: 3 }).platformFee).toBe(6_000n);
  });
});

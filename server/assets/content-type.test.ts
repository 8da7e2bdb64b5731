import { describe, expect, it } from 'vitest';
import { detectContentType } from './content-type';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** The head of a ZIP archive whose first entry is longer than what is read. */
const ZIP = Buffer.concat([
  Buffer.from('504b030414000000000000000000000000000010000000100000110000', 'hex'),
  Buffer.from('\0word/document.xml'),
  Buffer.alloc(4_000, 'x'),
]);

describe('detectContentType', () => {
  it.each([
    ['what is declared', { declared: DOCX }, DOCX],
    ['its name', { declared: 'application/octet-stream', filename: 'Prices.XLSX' }, XLSX],
    ['its name, not a declared ZIP', { declared: 'application/zip', filename: 'a.xlsx' }, XLSX],
    ['its bytes, if nothing says more', { filename: 'a.bin' }, 'application/zip'],
    [
      'its bytes, not a type that is no archive',
      { declared: 'text/html', filename: 'a.html' },
      'application/zip',
    ],
  ])('takes the type of a document that is a ZIP archive from %s', async (_from, given, type) => {
    expect(await detectContentType(ZIP, given)).toBe(type);
  });

  it('believes no document type of bytes that are no archive', async () => {
    const words = Buffer.from('only words');
    expect(await detectContentType(words, { declared: DOCX })).toBe('application/octet-stream');
    expect(await detectContentType(words, { filename: 'a.docx' })).toBe('application/octet-stream');
    expect(await detectContentType(words, { filename: 'a.csv' })).toBe('text/csv');
  });
});

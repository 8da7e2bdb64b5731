import { describe, expect, it } from 'vitest';
import { loadText } from './testing/load-text';

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string, mark = true) => Buffer.from(`${mark ? '\uFEFF' : ''}${text}`, 'utf16le');
const TEXT = 'name;price\nKöln;1\n';
const ROWS = [{ name: 'Köln', price: 1 }];

describe('the encoding of a CSV', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`), 'utf-8'],
    ['UTF-16LE with a byte order mark', utf16(TEXT), 'utf-16le'],
    ['UTF-16LE without one', utf16(TEXT, false), 'utf-16le'],
    ['UTF-16BE', utf16(TEXT).swap16(), 'utf-16be'],
    ['Windows-1252', latin(TEXT), 'windows-1252'],
  ])('%s is found', async (_, bytes, encoding) => {
    const { rows, dialect } = await loadText(bytes);
    expect(rows).toEqual(ROWS);
    expect(dialect.encoding).toBe(encoding);
    expect(dialect.notes.join().includes('windows-1252 was assumed')).toBe(encoding === 'windows-1252');
  });

  it.each([
    ['windows-1252', [0x80, 0x93], '€“'],
    ['latin1', [0x80, 0xe4], '€ä'],
    ['iso-8859-2', [0xb3, 0xb1], 'łą'],
    ['windows-1251', [0xcc, 0xe8, 0xf0], 'Мир'],
    ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['gb18030', [0xc4, 0xe3], '你'],
    ['macintosh', [0x8a], 'ä'],
  ])('%s is read if the caller names it', async (encoding, bytes, text) => {
    const { rows } = await loadText(Buffer.concat([latin('v\n'), Buffer.from(bytes)]), { encoding });
    expect(rows).toEqual([{ v: text }]);
  });

  it('has a mark that is no part of the first value', async () => {
    for (const header of [true, false]) {
      const { names, rows } = await loadText('\uFEFF"a",b\n1,2\n', { header });
      expect([...names, ...Object.values(rows[0] ?? {})]).toContain('a');
    }
    expect((await loadText('\uFEFFsep=;\na;b\n1;2\n')).names).toEqual(['a', 'b']);
  });

  it('is found in characters that a block cuts', async () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `${at},äöü€😀`);
    const sql = "SELECT count(*) AS n FROM t1 WHERE t = 'äöü€😀'";
    const text = `n,t\n${lines.join('\n')}`;
    for (const bytes of [Buffer.from(text), utf16(text)])
      expect((await loadText(bytes, { sql })).rows).toEqual([{ n: lines.length }]);
  });

  it.each([
    [
      'one wrong byte in UTF-8',
      [...Buffer.from('v\nä\nö\nü\n'), 0xe4],
      {},
      'line 5 is not valid UTF-8, at byte 12',
    ],
    [
      'bytes of another encoding than named',
      [0x76, 10, 0xff],
      { encoding: 'utf-8' },
      'line 2 is not valid UTF-8, at byte 3',
    ],
    ['a character that is cut', [0x76, 10, 0xe4], { encoding: 'gbk' }, 'the file is not valid gbk'],
    [
      'a file that cannot be windows-1252',
      [0x76, 10, 0x93, 0xfa, 0x8f, 0x81],
      {},
      'its encoding cannot be guessed',
    ],
    ['an unknown name', [0x76], { encoding: 'utf-9' }, 'encoding: "utf-9" is not a known encoding'],
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x76, 0, 0, 0], {}, 'UTF-32'],
    ['a workbook', [0x50, 0x4b, 3, 4, 0, 0], {}, 'is an archive or a workbook'],
  ])('refuses %s', async (_, bytes, options, message) => {
    await expect(loadText(Buffer.from(bytes), options)).rejects.toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import { createDecoder, findCharset } from './charset.mjs';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('findCharset', () => {
  it.each([
    ['latin1', 'windows-1252'],
    ['US-ASCII', 'windows-1252'],
    [' ISO-8859-1\n', 'windows-1252'],
    ['UTF8', 'utf-8'],
    ['gb2312', 'gbk'],
    ['ks_c_5601-1987', 'euc-kr'],
    ['logical', 'iso-8859-8-i'],
    ['utf-16', 'utf-16le'],
    ['hz-gb-2312', 'replacement'],
  ])('finds the name that the Encoding standard gives %j', (label, name) =>
    expect(findCharset(label)).toBe(name),
  );

  it.each(['', 'utf', 'cp437', '__proto__', 'ｕtf-8'])('does not know %j', (label) =>
    expect(findCharset(label)).toBeUndefined(),
  );
});

describe('createDecoder', () => {
  it.each([
    ['windows-1252', '8093 85 e9 81', '€“…é\u0081'],
    ['windows-1250', 'b3f3dfbf', 'łóßż'],
    ['gbk', 'c4e380', '你€'],
    ['gb18030', '81308130 a8bc 8135f437', '\u0080ḿ\ue7c7'],
    ['big5', 'a440 8862', '一\u00ca\u0304'],
    ['shift_jis', '8365 b1', 'テｱ'],
    ['euc-kr', 'b0a1 8141', '가갂'],
    ['euc-jp', 'a5c6 8fa2af', 'テ˘'],
    ['iso-2022-jp', '1b24422546 1b2842 61', 'テa'],
    ['iso-8859-8-i', 'e0', 'א'],
    ['x-user-defined', '80ff', '\uf780\uf7ff'],
    ['utf-16be', 'feff 20ac', '€'],
    ['replacement', '4142', '\ufffd'],
  ])('decodes %s as the Encoding standard says, in one piece or by byte', (charset, hex, text) => {
    const encoded = bytes(hex.replaceAll(' ', ''));
    expect(createDecoder(charset).decode(encoded)).toBe(text);
    const decoder = createDecoder(charset);
    const parts = [...encoded].map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
    expect(parts.join('') + decoder.decode()).toBe(text);
  });

  it.each([
    ['utf-8', 'e9'],
    ['gbk', 'ff'],
    ['windows-1253', 'd2'],
    ['replacement', '41'],
  ])('reports malformed bytes of %s if asked to, else marks them', (charset, hex) => {
    expect(() => createDecoder(charset, { fatal: true }).decode(bytes(hex))).toThrow(TypeError);
    expect(createDecoder(charset).decode(bytes(hex))).toBe('\ufffd');
  });
});

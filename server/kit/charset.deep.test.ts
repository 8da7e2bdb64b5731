import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDecoder, findCharset } from './charset.mjs';

// From encodings.json of https://encoding.spec.whatwg.org, of 21 May 2026.
const LABELS = `
utf-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
ibm866: 866 cp866 csibm866 ibm866
iso-8859-2: csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3: csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4: csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5: csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
iso-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual
iso-8859-8-i: csiso88598i iso-8859-8-i logical
iso-8859-10: csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13: iso-8859-13 iso8859-13 iso885913
iso-8859-14: iso-8859-14 iso8859-14 iso885914
iso-8859-15: csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16: iso-8859-16
koi8-r: cskoi8r koi koi8 koi8-r koi8_r
koi8-u: koi8-ru koi8-u
macintosh: csmacintosh mac macintosh x-mac-roman
windows-874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
windows-1250: cp1250 windows-1250 x-cp1250
windows-1251: cp1251 windows-1251 x-cp1251
windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
windows-1253: cp1253 windows-1253 x-cp1253
windows-1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254
windows-1255: cp1255 windows-1255 x-cp1255
windows-1256: cp1256 windows-1256 x-cp1256
windows-1257: cp1257 windows-1257 x-cp1257
windows-1258: cp1258 windows-1258 x-cp1258
x-mac-cyrillic: x-mac-cyrillic x-mac-ukrainian
gbk: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
gb18030: gb18030
big5: big5 big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp: cseucpkdfmtjapanese euc-jp x-euc-jp
iso-2022-jp: csiso2022jp iso-2022-jp
shift_jis: csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
euc-kr: cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
replacement: csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement
utf-16be: unicodefffe utf-16be
utf-16le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
x-user-defined: x-user-defined
`;

/**
 * Hashes of the texts of decoders that were written from the algorithms of the standard, on its
 * index files of the same day.
 */
const ALL_BYTES = {
  ibm866: '28334833c217d1cf',
  'iso-8859-2': '03e630b7e35444b5',
  'iso-8859-3': '346c5279bcbe2c65',
  'iso-8859-4': '44f09aebdda359ed',
  'iso-8859-5': 'be700802ceb4c3bc',
  'iso-8859-6': 'a3245a9039707db7',
  'iso-8859-7': '4399a782f439f21a',
  'iso-8859-8': 'fcd92d4079389190',
  'iso-8859-8-i': 'fcd92d4079389190',
  'iso-8859-10': 'fc5b337200036399',
  'iso-8859-13': '48d7963f3c3d13c2',
  'iso-8859-14': 'cb5f5b9ae8430fe8',
  'iso-8859-15': '6a31d79c1c012dc2',
  'iso-8859-16': 'cda40dceb3b705f5',
  'koi8-r': 'd6aa77011784a5e4',
  'koi8-u': 'ff4e26429fe556ac',
  macintosh: 'ea0df7e96d195f56',
  'windows-874': 'bda07fac35ef289b',
  'windows-1250': '083e8699d4ea3429',
  'windows-1251': 'b1ce72e8de9ab262',
  'windows-1252': '0048a1d8df12622c',
  'windows-1253': 'bab5e7048000f8fa',
  'windows-1254': '52c57e6a29dd1c1b',
  'windows-1255': 'b8828113eb73594b',
  'windows-1256': '544c3592214b8762',
  'windows-1257': 'b4b5f977bbe1e702',
  'windows-1258': '525ad65d40749cdc',
  'x-mac-cyrillic': '6ec76f16d1ce4a8c',
  'x-user-defined': 'dccd1a869ed527e5',
};
const ALL_PAIRS = {
  big5: 'c65fd3e9bbceac50',
  'euc-kr': 'd060e0760d3fa025',
  shift_jis: '742fd8a3e78ad489',
  'euc-jp': 'bdcae5e07eca5c91',
  gb18030: '17b5443b1f26563f',
  gbk: '17b5443b1f26563f',
};

const hash = (text: string) => createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 16);

/** Decodes in one piece, and in parts of a length that splits every kind of character. */
function decode(charset: string, bytes: Uint8Array): string[] {
  const decoder = createDecoder(charset);
  let joined = '';
  for (let at = 0; at < bytes.length; at += 7)
    joined += decoder.decode(bytes.subarray(at, at + 7), { stream: true });
  return [createDecoder(charset).decode(bytes), joined + decoder.decode()];
}

function* pairs() {
  for (let lead = 0x80; lead < 0x100; lead += 1)
    for (let trail = 0x21; trail < 0x100; trail += 1) yield* [lead, trail, 0x0a];
}

/** The three bytes of JIS X 0212 in euc-jp. */
function* triples() {
  for (let lead = 0xa1; lead < 0xff; lead += 1)
    for (let trail = 0xa1; trail < 0xff; trail += 1) yield* [0x8f, lead, trail];
}

/** The four bytes of gb18030: all of the basic plane, and some of each other plane. */
function* fours() {
  for (let at = 0; at < 1_237_576; at += at < 39_419 ? 1 : 101) {
    if (at > 39_419 && at < 189_000) at = 189_000;
    yield* [0x81 + Math.floor(at / 12_600), 0x30 + (Math.floor(at / 1_260) % 10)];
    yield* [0x81 + (Math.floor(at / 10) % 126), 0x30 + (at % 10)];
  }
}

describe('the Encoding standard', () => {
  const labels = LABELS.trim()
    .split('\n')
    .map((line) => line.split(': ') as [string, string]);

  it.each(labels)('knows all labels of %s', (name, list) => {
    for (const label of list.split(' '))
      for (const written of [label, label.toUpperCase(), `\t${label}\n `])
        expect([written, findCharset(written)]).toEqual([written, name]);
  });

  it.each(Object.entries(ALL_BYTES))('decodes every byte of %s', (charset, expected) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(decode(charset, bytes).map(hash)).toEqual([expected, expected]);
  });

  it.each(Object.entries(ALL_PAIRS))('decodes every pair of bytes of %s', (charset, expected) => {
    expect(decode(charset, Uint8Array.from(pairs())).map(hash)).toEqual([expected, expected]);
  });

  it('decodes the longer characters of euc-jp and gb18030', () => {
    expect(decode('euc-jp', Uint8Array.from(triples())).map(hash)).toEqual([
      'd987b01d86098f15',
      'd987b01d86098f15',
    ]);
    for (const charset of ['gb18030', 'gbk'])
      expect(decode(charset, Uint8Array.from(fours())).map(hash)).toEqual([
        '927fbbbb8f529485',
        '927fbbbb8f529485',
      ]);
  });
});

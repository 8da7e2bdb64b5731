import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExactNumber } from './exact-number.mjs';
import { InexactNumberReplacer, parseExactJson } from './replace-inexact-numbers.mjs';

/** Splits a text into pieces of `size` bytes. */
function replaceInPieces(text: string, size: number, options?: { isEventStream: boolean }): string {
  const replacer = new InexactNumberReplacer(undefined, options);
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    // The sender reuses its buffer.
    const piece = Buffer.from(bytes.subarray(at, at + size));
    parts.push(Buffer.from(replacer.push(piece)));
    piece.fill(0x39);
  }
  return Buffer.concat([...parts, replacer.end()]).toString();
}

describe('isExactNumber', () => {
  it.each([
    '0',
    '-0',
    '0e999',
    '0.000',
    '9007199254740992',
    '-9007199254740991',
    '123456789012345680000',
    '1e22',
    '1E+300',
    '1.7976931348623157e308',
    '5e-324',
    '0.1',
    '0.10000000000000001',
    '0.1000000000000000055511151231257827',
    '0.30000000000000004',
    '13.404954000000000',
    '123456789012345.67',
    '100.00000000000000000000',
  ])('keeps %s', (literal) => expect(isExactNumber(literal)).toBe(true));

  it.each([
    '9007199254740993',
    '725653563933458433',
    // An exact double, which is serialised as 725653563933458400.
    '725653563933458432',
    '-92055901755477000012',
    '12345678901234567.89',
    '12345678901234567.0',
    '90071992547409.933',
    '13.404953999999999',
    '3.14159265358979323846',
    '1e400',
    '-1e309',
    '1e-400',
    '1.23456789012345678e20',
    '1'.repeat(400),
    `0.${'3'.repeat(400)}`,
  ])('detects that %.40s would change', (literal) => expect(isExactNumber(literal)).toBe(false));

  it('keeps every double, however many digits it is written with', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 16, max: 99 }),
        (value, digits) => {
          expect(isExactNumber(JSON.stringify(value))).toBe(true);
          expect(isExactNumber(value.toExponential(digits))).toBe(true);
        },
      ),
    );
  });

  it('keeps an integer only if its digits come back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (value) => {
        expect(isExactNumber(String(value))).toBe(JSON.stringify(Number(value)) === String(value));
      }),
    );
  });
});

describe('parseExactJson', () => {
  it('returns text for a number that a double cannot hold, and changes nothing else', () => {
    const text =
      '{"id":725653563933458433,"sum":12345678901234567.89,"e":1e400,"n":[1,-92055901755477000012,0.1],"t":"725653563933458433 \\"1e400"}';
    expect(parseExactJson(text)).toEqual({
      id: '725653563933458433',
      sum: '12345678901234567.89',
      e: '1e400',
      n: [1, '-92055901755477000012', 0.1],
      t: '725653563933458433 "1e400',
    });
  });

  it('parses every JSON text like JSON.parse, if its numbers are doubles', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['{"a":01234567890123456789}', '[1234567890123456789.]', '-', '[12345678901234567e]', '"'])(
    'refuses what is not JSON: %s',
    (text) => expect(() => parseExactJson(text)).toThrow(SyntaxError),
  );
});

describe('InexactNumberReplacer', () => {
  const json =
    '{"id":725653563933458433,"t":"\\\\\\"9007199254740993","n":[1.5,1e400,"é"],"last":9007199254740993}';
  const expected = json.replace(/(?<=[:,])(725653563933458433|1e400|9007199254740993)(?=[,}])/g, '"$1"');

  it.each([1, 2, 3, 7, 1000])('replaces numbers in pieces of %i bytes', (size) => {
    expect(replaceInPieces(json, size)).toBe(expected);
  });

  it.each([1, 4, 9, 1000])('changes only the data of an event stream, in pieces of %i bytes', (size) => {
    const stream = `: "9007199254740993\r\nid: 9007199254740993\nevent: message\ndata: ${json}\n\nretry:9007199254740993\rdata:[9007199254740993,\ndata:1]\n\n`;
    const changed = stream.replace(json, expected).replace('[9007199254740993', '["9007199254740993"');
    expect(replaceInPieces(stream, size, { isEventStream: true })).toBe(changed);
  });

  it('passes a number at the end', () => {
    expect(replaceInPieces('12', 1)).toBe('12');
    expect(replaceInPieces('9007199254740993', 5)).toBe('"9007199254740993"');
  });
});

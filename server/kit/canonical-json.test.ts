import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json';

describe('canonicalJson', () => {
  it('writes the sample of RFC 8785 section 3.2.4', () => {
    // Cannot throw: it is the text of the RFC
    const sample = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts fields by UTF-16 code units, as section 3.2.3 requires', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    const value = Object.fromEntries(names.map((name) => [name, 0]));
    expect(canonicalJson(value)).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
  });

  it('orders names that look like numbers as text, at every depth', () => {
    expect(canonicalJson({ b: [{ 10: 1, 9: -0, 1: {} }], a: [] })).toBe(
      '{"a":[],"b":[{"1":{},"10":1,"9":0}]}',
    );
  });

  it('omits undefined fields, and has null for other undefined values', () => {
    expect(canonicalJson({ a: undefined, b: [undefined, {}, undefined], c: [undefined] })).toBe(
      '{"b":[null,{},null],"c":[null]}',
    );
    expect(canonicalJson(undefined)).toBe('null');
  });

  it('gives one text for every order of the fields', () => {
    const text = canonicalJson({ x: { one: 1, two: [2, { z: 'z', y: null }] }, __proto__x: true });
    const other = canonicalJson({ __proto__x: true, x: { two: [2, { y: null, z: 'z' }], one: 1 } });
    expect(other).toBe(text);
  });
});

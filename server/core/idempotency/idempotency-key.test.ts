import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureLeastBlock } from '@/test/support/measure-block';
import { canonicalJson } from '../../kit/canonical-json';
import { fingerprint, parseIdempotencyKey } from './idempotency-key';

const printable = fc
  .array(fc.integer({ min: 0x20, max: 0x7e }), { minLength: 1, maxLength: 255 })
  .map((codes) => String.fromCharCode(...codes));
const quote = (key: string) => `"${key.replace(/["\\]/g, '\\$&')}"`;

describe('an Idempotency-Key header', () => {
  it('accepts any quoted key of 1 to 255 printable characters', () => {
    fc.assert(
      fc.property(printable, (key) => {
        expect(parseIdempotencyKey(quote(key))).toBe(key);
      }),
    );
  });

  it('names the same key bare and quoted, unless it is a list or starts with a quote', () => {
    const bare = printable.filter((key) => key.trim() === key && !key.startsWith('"') && !key.includes(', '));
    fc.assert(
      fc.property(bare, fc.constantFrom('', ' ', '\t '), (key, space) => {
        expect(parseIdempotencyKey(`${space}${key}${space}`)).toBe(key);
        expect(parseIdempotencyKey(`${space}${quote(key)}${space}`)).toBe(key);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['space alone', ' \t '],
    ['an empty string in quotes', '""'],
    ['256 characters', 'x'.repeat(256)],
    ['256 characters in quotes', `"${'x'.repeat(256)}"`],
    ['two headers, joined', 'one, two'],
    ['two headers in quotes, joined', '"one", "two"'],
    ['a quote that is not closed', '"one'],
    ['a quote inside a quoted one', '"o"ne"'],
    ['an escape of what needs none', '"o\\ne"'],
    ['a parameter', '"one";a=1'],
    ['a letter that is not ASCII', 'schlüssel'],
    ['a space that is not ASCII', '\u00a0'],
    ['a control character', 'one\u0007'],
    ['a line break', 'one\ntwo'],
  ])('is rejected if it is %s', (_, header) => {
    expect(parseIdempotencyKey(header)).toBeNull();
  });
});

/** The same value with the members of every object in reverse or random order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, shuffled(member)]),
  );
}

describe('the fingerprint of a request', () => {
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(json, (body) => {
        expect(fingerprint('call', shuffled(body)).equals(fingerprint('call', body))).toBe(true);
      }),
    );
  });

  it('of a stored request stays the same, so that it is replayed after an update', () => {
    // Cannot throw: it is the text below
    const hostile = JSON.parse(
      '{"input":{"10":"ten","9":[{"b":1,"a":null},2],"!":{"1":true,"01":false},"__proto__":{"x":1}}}',
    );
    const input = { numbers: [1, 2.5, -0], label: 'é"\u2028', left: undefined };
    const stored = [
      fingerprint('call', { tool: 'math', skill: 'statistics', input }),
      fingerprint('call', hostile),
    ];
    expect(stored.map((each) => each.toString('hex'))).toEqual([
      '4e5f255b0afe9bfccc914af889f1b0be9ae264baf156beb58cc3d39917fd31a9',
      'd2fc4a1cff6ef2e3606c1e5fdf71da93bdb6e16b45d6c7fe2deebac648210fb1',
    ]);
  });

  it('of the largest body of numbers does not block the event loop', async () => {
    const body = { input: { numbers: Array.from({ length: 520_000 }, () => 0) } };
    expect(await measureLeastBlock(50, 5, async () => fingerprint('call', body))).toBeLessThan(50);
  });

  it('differs for another body or another operation', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        // As JSON, because -0 and 0 are the same JSON.
        fc.pre(canonicalJson(one) !== canonicalJson(other));
        expect(fingerprint('call', one).equals(fingerprint('call', other))).toBe(false);
      }),
    );
    expect(fingerprint('call', {}).equals(fingerprint('batch', {}))).toBe(false);
  });

  it('is computed from JSON that parses back to the same value', () => {
    fc.assert(
      fc.property(json, (body) => {
        expect(JSON.parse(canonicalJson(body))).toEqual(JSON.parse(JSON.stringify(body)));
      }),
    );
  });

  it('supports bodies as deep as a request may be', () => {
    const deep = JSON.parse(`${'{"a":['.repeat(500)}${']}'.repeat(500)}`);
    expect(fingerprint('call', deep)).toHaveLength(32);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrors } from './field-errors';
import { nearestName, unknownName } from './unknown-name';

const schema = z.strictObject({
  limit: z.coerce.number<string>().int().min(1).max(500).default(1),
  share: z.number().gt(0).lt(1).default(0.5),
  steps: z.number().multipleOf(0.5).default(1),
  name: z.string().min(1).max(5).default('x'),
  code: z.string().length(3).default('abc'),
  period: z.enum(['day', 'week', 'month']).default('day'),
  kind: z.literal('a').default('a'),
  tags: z.array(z.string()).min(2).max(3).default(['a', 'b']),
  email: z.email().default('a@example.com'),
  slug: z
    .string()
    .regex(/^[a-z]+$/)
    .default('a'),
  flag: z.boolean().default(true),
  either: z.union([z.string(), z.number()]).default('a'),
  own: z
    .string()
    .refine((text) => text === 'x', 'Only x is possible.')
    .default('x'),
  nested: z.object({ list: z.array(z.object({ n: z.number().min(2) })) }).default({ list: [] }),
});

function say(input: object): string | undefined {
  const parsed = schema.safeParse(input);
  if (parsed.success) throw new Error('It is valid');
  return fieldErrors(parsed.error)[0]?.message;
}

describe('a validation error names its field in a plain sentence', () => {
  it.each([
    [{ limit: '0' }, '`limit` must be a whole number from 1 to 500; got 0.'],
    [{ limit: 'many' }, '`limit` must be a whole number from 1 to 500.'],
    [{ limit: '1.5' }, '`limit` must be a whole number from 1 to 500; got 1.5.'],
    [{ share: 1 }, '`share` must be a number from more than 0 to less than 1; got 1.'],
    [{ steps: 0.3 }, '`steps` must be a multiple of 0.5; got 0.3.'],
    [{ steps: '1' }, '`steps` must be a number; got a string.'],
    [{ name: '' }, '`name` must not be empty.'],
    [{ name: 'secret' }, '`name` must have at most 5 characters; got 6.'],
    [{ code: 'ab' }, '`code` must have 3 characters.'],
    [{ name: 7 }, '`name` must be a string; got 7.'],
    [{ name: null }, '`name` must be a string; got null.'],
    [{ period: 'weak' }, '`period` must be `day`, `week` or `month`. Did you mean `week`?'],
    [{ kind: 'b' }, '`kind` must be `a`. Did you mean `a`?'],
    [{ tags: ['a'] }, '`tags` must have at least 2 entries; got 1.'],
    [{ tags: 'a' }, '`tags` must be a list; got a string.'],
    [{ email: 'nobody' }, '`email` must be an email address.'],
    [{ slug: 'A' }, '`slug` must match /^[a-z]+$/.'],
    [{ flag: 'true' }, '`flag` must be true or false; got a string.'],
    [{ either: true }, '`either` does not match any of the accepted forms.'],
    [{ own: 'y' }, 'Only x is possible.'],
    [{ limt: 3 }, '`body` has the unknown field `limt`. Did you mean `limit`?'],
    [{ nested: { list: [{ n: 2 }, { n: 1 }] } }, '`nested.list[1].n` must be a number of at least 2; got 1.'],
    [{ nested: { list: [{}] } }, '`nested.list[0].n` is required.'],
    [{ nested: [] }, '`nested` must be an object with `list`; got a list.'],
  ])('%j', (input, message) => {
    expect(say(input)).toBe(message);
  });

  it('never repeats text from the input', () => {
    for (const input of [{ period: 'sk-secret-key' }, { email: 'sk-secret-key' }, { limit: 'sk-secret-key' }])
      expect(say(input)).not.toContain('secret');
  });
});

describe('unknownName', () => {
  it.each([
    ['txt', 'Unknown tool `txt`. Did you mean `text`?'],
    ['maht', 'Unknown tool `maht`. Did you mean `math`?'],
    ['web-readr', 'Unknown tool `web-readr`. Did you mean `web-reader`?'],
    ['submarine', 'Unknown tool `submarine`.'],
    ['a`b\nc', 'Unknown tool `a b c`.'],
    ['', 'Unknown tool ``.'],
  ])('names %j and suggests the nearest known name', (name, message) => {
    expect(unknownName('tool', name, ['math', 'text', 'web-reader'])).toBe(message);
  });

  it('finds the nearest of a thousand names without blocking', () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `tool-with-a-long-name-${n}`);
    expect(nearestName('tool-with-a-lnog-name-77', names)).toBe('tool-with-a-long-name-77');
  });
});

import { describe, expect, it } from 'vitest';
import { slugProblem, suggestSlug } from './slug';

describe('a slug', () => {
  it.each(['abc', 'a-b', '42x', 'a'.repeat(40), 'a--b'])('can be %s', (slug) => {
    expect(slugProblem(slug)).toBeNull();
  });

  it.each([
    '',
    'ab',
    'a'.repeat(41),
    'Acme',
    'ac me',
    'acmé',
    '-abc',
    'abc-',
    'acct_1',
    'a/b',
    'personal',
    'team',
    'admin',
    'new',
  ])('cannot be %s, and the error says why', (slug) => {
    expect(slugProblem(slug)).toMatch(/\w+ .+\.$/);
  });

  it.each([
    ['Acme', 'acme'],
    ['Ada’s Café & Söhne', 'adas-cafe-sohne'],
    ['  R&D / Ops  ', 'r-d-ops'],
    ['x'.repeat(60), 'x'.repeat(40)],
    [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
    ['日本', ''],
  ])('is derived from %s as %s', (name, slug) => {
    expect(suggestSlug(name)).toBe(slug);
  });
});

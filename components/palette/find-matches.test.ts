import { describe, expect, it } from 'vitest';
import { findMatches } from './find-matches';

const entries = [
  { label: 'Provider keys', words: 'byok secrets' },
  { label: 'Keys', words: 'api' },
  { label: 'Billing', words: 'credit money statement' },
  { label: 'Buy credit' },
];
const labels = (text: string) => findMatches(entries, text).map(({ label }) => label);

describe('matching', () => {
  it('ranks labels that start with the text before those that only contain its words', () => {
    expect(labels('key')).toEqual(['Keys', 'Provider keys']);
    expect(labels('credit')).toEqual(['Buy credit', 'Billing']);
  });

  it('requires every typed word, in any order and case', () => {
    expect(labels('KEYS prov')).toEqual(['Provider keys']);
    expect(labels('keys billing')).toEqual([]);
  });

  it('keeps the order of all entries when nothing is typed', () => {
    expect(labels('  ')).toEqual(entries.map(({ label }) => label));
  });
});

import { describe, expect, it } from 'vitest';
import { matching } from './match';

const entries = [
  { label: 'Provider keys', words: 'byok secrets' },
  { label: 'Keys', words: 'api' },
  { label: 'Billing', words: 'credit money statement' },
  { label: 'Buy credit' },
];
const labels = (text: string) => matching(entries, text).map(({ label }) => label);

describe('matching', () => {
  it('puts what begins with the text before what only has its words', () => {
    expect(labels('key')).toEqual(['Keys', 'Provider keys']);
    expect(labels('credit')).toEqual(['Buy credit', 'Billing']);
  });

  it('wants every word that was typed, in any order and in any case', () => {
    expect(labels('KEYS prov')).toEqual(['Provider keys']);
    expect(labels('keys billing')).toEqual([]);
  });

  it('leaves all as they are where nothing is typed', () => {
    expect(labels('  ')).toEqual(entries.map(({ label }) => label));
  });
});

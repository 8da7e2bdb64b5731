import { describe, expect, it } from 'vitest';
import { listAssetsInput } from '@/server/assets/schema';
import { isFiltered, KIND_NAMES, readAssetFilter } from './asset-filters';

const read = (query: string) => {
  const params = new URLSearchParams(query);
  return readAssetFilter((name) => params.get(name));
};

describe('the filter in the URL of the assets page', () => {
  it('defaults to all files, newest first', () => {
    expect(read('')).toEqual({ sort: 'newest' });
    expect(isFiltered(read('sort=largest&view=list'))).toBe(false);
  });

  it('drops invalid values', () => {
    expect(read('kind=toString&sort=name&q=%20')).toEqual({ sort: 'newest' });
    expect(read('kind=pdf&q=%20bill%20&tool=upload&sort=largest')).toEqual({
      kind: 'pdf',
      q: 'bill',
      tool: 'upload',
      sort: 'largest',
    });
  });

  it('yields a filter the gateway accepts for every query string', () => {
    const long = 'x'.repeat(5000);
    for (const query of [
      '',
      `q=${long}&tool=${long}&kind=${long}`,
      ...Object.keys(KIND_NAMES).map((kind) => `kind=${kind}`),
    ])
      expect(listAssetsInput.safeParse(read(query)).success).toBe(true);
  });
});

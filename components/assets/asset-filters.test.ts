import { describe, expect, it } from 'vitest';
import { listAssetsInput } from '@/server/assets/schema';
import { isFiltered, KIND_NAMES, readAssetFilter } from './asset-filters';

const read = (query: string) => {
  const params = new URLSearchParams(query);
  return readAssetFilter((name) => params.get(name));
};

describe('what the address of the files asks for', () => {
  it('nothing is the newest first, unfiltered', () => {
    expect(read('')).toEqual({ sort: 'newest' });
    expect(isFiltered(read('sort=largest&view=list'))).toBe(false);
  });

  it('what it cannot ask for is left out', () => {
    expect(read('kind=toString&sort=name&q=%20')).toEqual({ sort: 'newest' });
    expect(read('kind=pdf&q=%20bill%20&tool=upload&sort=largest')).toEqual({
      kind: 'pdf',
      q: 'bill',
      tool: 'upload',
      sort: 'largest',
    });
  });

  it('whatever it is, the gateway takes it', () => {
    const long = 'x'.repeat(5000);
    for (const query of [
      '',
      `q=${long}&tool=${long}&kind=${long}`,
      ...Object.keys(KIND_NAMES).map((kind) => `kind=${kind}`),
    ])
      expect(listAssetsInput.safeParse(read(query)).success).toBe(true);
  });
});

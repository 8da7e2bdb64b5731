import { describe, expect, it } from 'vitest';
import { findAssetIds } from './find-asset-ids';

describe('filesIn', () => {
  it('finds asset ids anywhere in an output, each once', () => {
    const output = {
      asset_id: 'asset_1a',
      pages: [{ asset_id: 'asset_2b' }, { asset_id: 'asset_1a' }, 'asset_3c', null, 4],
      text: 'see asset_9z in the text',
      url: 'https://gateway.test/files/asset_9z/a.png',
    };
    expect(findAssetIds(output)).toEqual(['asset_1a', 'asset_3c', 'asset_2b']);
    expect(findAssetIds(null)).toEqual([]);
    expect(findAssetIds({ list: new Array(300_000).fill(0), file: 'asset_1' })).toEqual(['asset_1']);
    expect(findAssetIds(Array.from({ length: 50 }, (_, i) => `asset_${i}`))).toHaveLength(12);
  });
});

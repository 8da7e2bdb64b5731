import { describe, expect, it } from 'vitest';
import { changedNames, readToken, writeToken } from './versions';

const versions = { balance: 'a1', calls: 'b2', jobs: 'c3' };

describe('versions', () => {
  it('survive serialization as a token', () => {
    expect(readToken(writeToken(versions))).toEqual(versions);
    for (const token of [null, '', 'a-b', 'a1-b2-c3-d4', "a'-b-c", `${'a'.repeat(33)}-b-c`])
      expect(readToken(token)).toBeNull();
  });

  it('report the names that changed, or all without previous versions', () => {
    expect(changedNames(versions, { ...versions, calls: 'ff' })).toEqual(['calls']);
    expect(changedNames(versions, versions)).toEqual([]);
    expect(changedNames(null, versions)).toEqual(['balance', 'calls', 'jobs']);
  });
});

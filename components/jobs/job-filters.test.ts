import { describe, expect, it } from 'vitest';
import { jobsInput, readJobFilters } from './job-filters';

const read = (query: string) => {
  const params = new URLSearchParams(query);
  return readJobFilters((name) => params.get(name));
};

describe('the filters of the jobs page', () => {
  it('are read from the URL; invalid values are dropped', () => {
    expect(read('status=failed&tool=math&key=key_1')).toEqual({
      status: 'failed',
      tool: 'math',
      key: 'key_1',
    });
    expect(read('status=odd&tool=')).toEqual({ status: null, tool: null, key: null });
    expect(read(`tool=${'x'.repeat(100)}`).tool).toHaveLength(64);
  });

  it('become the input of the list procedure', () => {
    expect(jobsInput(read('key=key_1'))).toEqual({ key_id: 'key_1', limit: 25 });
  });
});

import { describe, expect, it } from 'vitest';
import { createProbe } from '@/test/support/probe-tool';
import { Engines } from './engines';

const { tool } = createProbe();

describe('engines', () => {
  it('are present if a tool needs none, and are checked once if it does', async () => {
    const engines = new Engines(60_000);
    expect(await engines.findMissing(tool)).toBeNull();
    let lookups = 0;
    const findEngine = async () => ({ reason: `No browser (${++lookups}).` });
    const needing = { ...tool, name: 'needing', findEngine };
    expect(await engines.findMissing(needing)).toEqual({ reason: 'No browser (1).' });
    expect(await engines.findMissing(needing)).toEqual({ reason: 'No browser (1).' });
  });

  it('that take long to find are missing until they are found', async () => {
    const engines = new Engines(10);
    let found = (_: null) => {};
    const search = new Promise<null>((resolve) => {
      found = resolve;
    });
    const slow = { ...tool, findEngine: () => search };
    expect(await engines.findMissing(slow)).toEqual({ reason: expect.stringContaining('timed out') });
    found(null);
    await expect.poll(() => engines.findMissing(slow)).toBeNull();
  });

  it('that cannot be checked are missing', async () => {
    const findEngine = () => Promise.reject(new Error('secret path'));
    expect(await new Engines(60_000).findMissing({ ...tool, findEngine })).toEqual({
      reason: expect.stringContaining('that this tool requires failed'),
    });
  });
});

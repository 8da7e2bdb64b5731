import { describe, expect, it } from 'vitest';
import { createProbe } from '../../testing/probe-tool';
import { Engines } from './engines';

const { tool } = createProbe();

describe('engines', () => {
  it('are present if a tool needs none, and are checked once if it does', async () => {
    const engines = new Engines(60_000);
    expect(await engines.whyMissing(tool)).toBeNull();
    let looks = 0;
    const findEngine = async () => `No browser (${++looks}).`;
    const needing = { ...tool, name: 'needing', findEngine };
    expect(await engines.whyMissing(needing)).toBe('No browser (1).');
    expect(await engines.whyMissing(needing)).toBe('No browser (1).');
  });

  it('that take long to find are missing until they are found', async () => {
    const engines = new Engines(10);
    let found = (_: null) => {};
    const search = new Promise<null>((resolve) => {
      found = resolve;
    });
    const slow = { ...tool, findEngine: () => search };
    expect(await engines.whyMissing(slow)).toMatch(/timed out/);
    found(null);
    await expect.poll(() => engines.whyMissing(slow)).toBeNull();
  });

  it('that cannot be checked are missing', async () => {
    const findEngine = () => Promise.reject(new Error('secret path'));
    expect(await new Engines(60_000).whyMissing({ ...tool, findEngine })).toMatch(
      /that this tool requires failed/,
    );
  });
});

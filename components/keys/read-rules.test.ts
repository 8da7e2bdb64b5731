import { describe, expect, it } from 'vitest';
import type { ApiKey } from '@/server/identity/keys/schema';
import { describeRules, describeScope, readRules } from './read-rules';
import { KEY } from './testing/api-key';

const read = (values: Record<string, string>) => (name: string) => values[name] ?? '';

describe('the rules of a key', () => {
  it('allow every tool unless some are selected, and never none', () => {
    expect(readRules(read({})).allowed_tools).toBeNull();
    expect(readRules(read({ allowed_tools: 'text,web.search' })).allowed_tools).toEqual([
      'text',
      'web.search',
    ]);
    expect(() => readRules(read({ allowed_tools: ',' }))).toThrow('Allowed tools: select at least one');
  });

  it('are described in a few words each', () => {
    const key: ApiKey = {
      ...KEY,
      credits: 3,
      credits_used: 2,
      spend_limit: { amount_usd: 5, period: 'week', spent_usd: 0, resets_at: '2026-11-30T00:00:00Z' },
      allowed_tools: ['text', 'web', 'diagnostics.spend'],
      allowed_ips: ['203.0.113.0/24'],
      tags: ['eu'],
    };
    expect(describeRules(key)).toEqual([
      '$5.00 a week',
      '$5.00 in total',
      '2 tools',
      '1 skill',
      '1 network',
      '1 tag',
    ]);
    expect(describeScope(KEY)).toEqual([]);
  });
});

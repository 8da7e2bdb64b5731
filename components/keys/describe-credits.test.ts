import { expect, it } from 'vitest';
import type { ApiKey } from '@/server/identity/keys/schema';
import { describeCredits } from './describe-credits';

const KEY: ApiKey = {
  id: 'key_1',
  name: 'agent',
  key_prefix: 'tg_abc…wxyz',
  status: 'active',
  credits: 5,
  credits_used: 0.05,
  manages_account: false,
  expires_at: null,
  expired: false,
  allowed_tools: null,
  allowed_ips: null,
  spend_limit: null,
  rate_limits: null,
  tags: [],
  previous_secret_expires_at: null,
  created_at: '2026-11-01T00:00:00Z',
  last_used_at: null,
};

it('says what is left of a credit limit, and why the limit is more than the amount entered', () => {
  expect(describeCredits(KEY)).toEqual({
    title: '“agent” has $5.00 left of its credit limit',
    description: 'The limit is $5.05; $0.05 of it is used.',
  });
});

it('names the spending limit that still refuses calls', () => {
  const spend_limit = {
    amount_usd: 0.05,
    period: 'day',
    spent_usd: 0.05,
    resets_at: KEY.created_at,
  } as const;
  expect(describeCredits({ ...KEY, spend_limit }).description).toContain(
    'The daily limit still applies: $0.05 of $0.05 is used.',
  );
});

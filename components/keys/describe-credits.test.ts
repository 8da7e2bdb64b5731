import { expect, it } from 'vitest';
import { describeCredits } from './describe-credits';
import { KEY } from './testing/api-key';

const LIMITED = { ...KEY, credits: 5, credits_used: 0.05 };

it('says how much of a credit limit is used, or that there is none', () => {
  expect(describeCredits(LIMITED)).toEqual({
    title: 'Saved the credit limit of “agent”',
    description: '$0.05 of $5.05 is used.',
  });
  expect(describeCredits(KEY)).toEqual({
    title: '“agent” has no credit limit',
    description: 'It can spend all credit of the account.',
  });
});

it('names the spending limit that still refuses calls', () => {
  const spend_limit = {
    amount_usd: 0.05,
    period: 'day',
    spent_usd: 0.05,
    resets_at: KEY.created_at,
  } as const;
  expect(describeCredits({ ...LIMITED, spend_limit }).description).toContain(
    'The daily spending limit still applies: $0.05 of $0.05 is used.',
  );
});

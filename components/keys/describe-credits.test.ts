import { expect, it } from 'vitest';
import { describeCredits } from './describe-credits';
import { KEY } from './testing/api-key';

const LIMITED = { ...KEY, credits: 5, credits_used: 0.05 };

it('says what is left of a credit limit, and why the limit is more than the amount entered', () => {
  expect(describeCredits(LIMITED)).toEqual({
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
  expect(describeCredits({ ...LIMITED, spend_limit }).description).toContain(
    'The daily limit still applies: $0.05 of $0.05 is used.',
  );
});

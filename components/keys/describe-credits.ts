import type { ApiKey } from '@/server/identity/keys/schema';
import { addUsd } from '../shared/format';
import { formatMoney } from '../ui/money';

const PERIODS = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

/** What a key may still spend after its credit limit was changed, and which other limit applies. */
export function describeCredits(apiKey: ApiKey): { title: string; description: string } {
  const { name, credits, credits_used: used, spend_limit: limit } = apiKey;
  const sentences: string[] = [];
  if (credits !== null)
    sentences.push(`${formatMoney(used)} of ${formatMoney(addUsd(used, Math.max(0, credits)))} is used.`);
  if (limit)
    sentences.push(
      `The ${PERIODS[limit.period]} spending limit still applies: ${formatMoney(limit.spent_usd)} of ${formatMoney(limit.amount_usd)} is used.`,
    );
  return {
    title: credits === null ? `“${name}” has no credit limit` : `Saved the credit limit of “${name}”`,
    description: sentences.join(' ') || 'It can spend all credit of the account.',
  };
}

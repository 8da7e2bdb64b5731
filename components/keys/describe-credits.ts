import type { ApiKey } from '@/server/identity/keys/schema';
import { addUsd } from '../shared/format';
import { formatMoney } from '../ui/money';

const PERIODS = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

/** What a key has after its credit limit was set or raised, and which other limit still applies. */
export function describeCredits(apiKey: ApiKey): { title: string; description: string } {
  const { name, credits_used: used, spend_limit: limit } = apiKey;
  const left = Math.max(0, apiKey.credits ?? 0);
  const sentences = [`The limit is ${formatMoney(addUsd(used, left))}; ${formatMoney(used)} of it is used.`];
  if (limit)
    sentences.push(
      `The ${PERIODS[limit.period]} limit still applies: ${formatMoney(limit.spent_usd)} of ${formatMoney(limit.amount_usd)} is used.`,
    );
  return {
    title: `“${name}” has ${formatMoney(left)} left of its credit limit`,
    description: sentences.join(' '),
  };
}

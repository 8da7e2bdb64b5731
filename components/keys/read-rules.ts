import { mapWindows, type WindowField } from '@/server/core/limits/limits';
import type { ApiKey, KeyRulesInput } from '@/server/identity/keys/schema';
import { readAmount } from '../shared/amount';
import { describeRates } from '../shared/describe-rates';
import { addUsd, formatCount } from '../shared/format';
import { InputProblem } from '../shared/use-submit';
import { formatMoney } from '../ui/money';

/** Labels of the fields of rules, by their path in the API's input. */
export const RULE_LABELS = {
  expires_at: 'Expires',
  allowed_tools: 'Allowed tools',
  allowed_ips: 'Allowed networks',
  'spend_limit.amount_usd': 'Spending limit',
  ...mapWindows(
    ({ per }) => `Calls ${per}`,
    ({ field }) => `rate_limits.${field}` as const,
  ),
  'rate_limits.concurrent': 'Calls at once',
  tags: 'Tags',
} as const;

/**
 * Reads the fields of rules; an empty one is no rule.
 * @throws InputProblem for an amount or number that is not one
 */
export function readRules(read: (name: string) => string): KeyRulesInput {
  return {
    expires_at: read('expires_at') || null,
    allowed_tools: readTools(read('allowed_tools')),
    allowed_ips: readList(read('allowed_ips')),
    spend_limit: readSpendLimit(read),
    rate_limits: readRates(read),
    tags: readList(read('tags'), /\s*,\s*/) ?? [],
  };
}

/** Text separated by commas, spaces or lines. */
function readList(text: string, separator = /[\s,]+/): string[] | null {
  const items = text.split(separator).filter((item) => item !== '');
  return items.length === 0 ? null : items;
}

function readTools(text: string): string[] | null {
  const tools = readList(text);
  // An empty list of the API would allow nothing, and no list everything.
  if (text !== '' && tools === null)
    throw new InputProblem('Allowed tools: select at least one, or “All”.', 'allowed_tools');
  return tools;
}

function readSpendLimit(read: (name: string) => string): KeyRulesInput['spend_limit'] {
  const field = 'spend_limit.amount_usd';
  const text = read(field);
  if (text === '') return null;
  const amount = readAmount(RULE_LABELS[field], text);
  if ('problem' in amount) throw new InputProblem(amount.problem, field);
  return { amount_usd: amount.usd, period: read('spend_limit.period') as 'day' | 'week' | 'month' };
}

function readRates(read: (name: string) => string): KeyRulesInput['rate_limits'] {
  const number = (name: WindowField | 'concurrent') => {
    const field = `rate_limits.${name}` as const;
    const text = read(field);
    if (text === '') return null;
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new InputProblem(`${RULE_LABELS[field]}: enter a number from 1.`, field);
    return Number(text);
  };
  const rates = {
    ...mapWindows(({ field }) => number(field)),
    concurrent: number('concurrent'),
  };
  return Object.values(rates).every((rate) => rate === null) ? null : rates;
}

/** What a key may spend and call, in a few words each: `$5.00 a week`, `2 tools`. */
export function describeRules(key: ApiKey): string[] {
  const { spend_limit: spend, credits, credits_used: used, rate_limits: rates, tags } = key;
  return [
    spend && `${formatMoney(spend.amount_usd)} a ${spend.period}`,
    credits === null ? null : `${formatMoney(addUsd(used, credits))} in total`,
    ...describeScope(key),
    rates && `calls: ${describeRates(rates)}`,
    tags.length > 0 ? formatCount(tags.length, 'tag') : null,
  ].filter((rule) => rule !== null);
}

/** What for and from where a key may be used: `2 tools`, `1 network`. */
export function describeScope({ allowed_tools: entries, allowed_ips: networks }: ApiKey): string[] {
  const skills = entries?.filter((entry) => entry.includes('.')).length ?? 0;
  const tools = (entries?.length ?? 0) - skills;
  return [
    tools > 0 && formatCount(tools, 'tool'),
    skills > 0 && formatCount(skills, 'skill'),
    networks && formatCount(networks.length, 'network'),
  ].filter((rule) => typeof rule === 'string');
}

import { RATE_LIMITS } from '../generated/openapi.js';
import type { Arguments, Flag } from './command.js';
import { parseAmount, parseDuration, readIntegerFlag } from './parse-numbers.js';
import { usageError } from './usage-error.js';

const MAX_RATE = 999_999_999;
/** The flag of each limit: `--rate-hour` for calls per hour. */
const RATES = RATE_LIMITS.map((field) => ({
  field,
  flag: field.replace('per_', 'rate-'),
  about: `calls ${field === 'concurrent' ? 'at once' : field.replace('_', ' ')}, fewer than the gateway allows`,
}));
const PERIODS = ['day', 'week', 'month'] as const;

/** The flags of `keys create` and `keys update` that set rules. */
export const RULE_FLAGS: Readonly<Record<string, Flag>> = {
  'expires-at': { value: 'TIME', about: 'when the key stops working, such as 2027-01-31T00:00:00Z' },
  'expires-in': { value: 'DURATION', about: 'after how long the key stops working, such as 30d' },
  'allow-tool': {
    value: 'TOOL',
    about: 'a tool, or tool.skill, that the key may call; may be repeated, others are refused',
    repeatable: true,
  },
  'allow-ip': {
    value: 'CIDR',
    about: 'a network the key may be used from; may be repeated, others are refused',
    repeatable: true,
  },
  'spend-limit': { value: 'DOLLARS/PERIOD', about: 'spending per calendar day, week or month: 5/day' },
  ...Object.fromEntries(RATES.map(({ flag, about }) => [flag, { value: 'N', about }])),
  tag: { value: 'TAG', about: 'a label to filter usage by; may be repeated', repeatable: true },
};

/** What `keys update --remove` sends, by rule. */
export const REMOVED = {
  expiry: { expires_at: null },
  tools: { allowed_tools: null },
  ips: { allowed_ips: null },
  spend: { spend_limit: null },
  rates: { rate_limits: null },
  tags: { tags: [] as string[] },
} as const;

/**
 * Reads the rules as the body of the request.
 * @throws GatewayError USAGE
 */
export function readRules(args: Arguments) {
  const expiresAt = readExpiry(args);
  const spend = args.text('spend-limit');
  const tools = args.texts('allow-tool');
  const ips = args.texts('allow-ip');
  const tags = args.texts('tag');
  const rates = readRates(args);
  return {
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(tools.length > 0 && { allowed_tools: [...tools] }),
    ...(ips.length > 0 && { allowed_ips: [...ips] }),
    ...(spend !== undefined && { spend_limit: parseSpendLimit(spend) }),
    ...(rates && { rate_limits: rates }),
    ...(tags.length > 0 && { tags: [...tags] }),
  };
}

/** @throws GatewayError USAGE for an unknown rule */
export function readRemoved(args: Arguments) {
  let removed = {};
  for (const rule of args.texts('remove')) {
    if (!Object.hasOwn(REMOVED, rule))
      throw usageError(
        `--remove ${JSON.stringify(rule)} is not a rule.`,
        `Use one of: ${Object.keys(REMOVED).join(', ')}.`,
      );
    removed = { ...removed, ...REMOVED[rule as keyof typeof REMOVED] };
  }
  return removed;
}

function readExpiry(args: Arguments): string | undefined {
  const at = args.text('expires-at');
  const within = args.text('expires-in');
  if (at !== undefined && within !== undefined)
    throw usageError('--expires-at and --expires-in exclude each other.', 'Use one of them.');
  if (within !== undefined)
    return new Date(Date.now() + parseDuration(within, '--expires-in') * 1_000).toISOString();
  if (at === undefined) return undefined;
  const time = new Date(at);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw usageError(`--expires-at ${JSON.stringify(at)} is not a time.`, 'Use 2027-01-31T00:00:00Z.');
}

function parseSpendLimit(text: string) {
  const [amount = '', name = ''] = text.split('/', 2);
  const period = PERIODS.find((each) => each === name);
  if (period) return { amount_usd: parseAmount(amount, '--spend-limit'), period };
  throw usageError(
    `--spend-limit ${JSON.stringify(text)} has no period.`,
    'Use dollars and a period: 5/day, 20/week or 50/month.',
  );
}

function readRates(args: Arguments) {
  const given = RATES.flatMap(({ field, flag }) => {
    const rate = readIntegerFlag(args, flag, 1, MAX_RATE);
    return rate === undefined ? [] : [[field, rate] as const];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}

import { CALL_WINDOWS } from '@/server/core/limits/limits';
import type { ApiKey } from '@/server/identity/keys/schema';
import { withBilling } from './account-path';
import { errorHint } from './error-hint';

/**
 * Where the cause is removed: a dialog of the key, its page, another page, or the call itself, of
 * which the message says what was wrong.
 */
type Place =
  | 'credits'
  | 'rules'
  | 'key'
  | 'billing'
  | 'monthly-limit'
  | 'team'
  | 'tool'
  | 'tools'
  | 'provider-keys'
  | 'message';

interface RefusalCause {
  title: string;
  remedy: string;
  /** Null: time alone helps, or only the operator can change it. */
  place: Place | null;
  /** The label of the link or button that leads to the place. */
  act: string;
}

const READ = { place: 'message', act: 'See what was wrong' } as const;

/** By code and limit of the error, or by code. */
const CAUSES: Partial<Record<string, RefusalCause>> = {
  'INSUFFICIENT_CREDITS account': {
    title: 'The account does not have enough credit',
    remedy: 'Buy credit for the account.',
    place: 'billing',
    act: 'Buy credit',
  },
  'INSUFFICIENT_CREDITS debt': {
    title: 'The account has a debt',
    remedy: 'A refund or dispute left it. Buy credit to pay it off.',
    place: 'billing',
    act: 'Buy credit',
  },
  'INSUFFICIENT_CREDITS key': {
    title: 'Calls exceed the key’s credit limit',
    remedy: 'Raise the key’s credit limit. Credit of the account does not raise it.',
    place: 'credits',
    act: 'Raise the limit',
  },
  'SPENDING_LIMIT_EXCEEDED key': {
    title: 'Calls exceed the key’s spending limit',
    remedy: 'Wait until it resets, or raise it in the key’s rules.',
    place: 'rules',
    act: 'Raise the limit',
  },
  'SPENDING_LIMIT_EXCEEDED member': {
    title: 'Calls exceed the member’s spending limit',
    remedy: 'Wait until it resets. An owner or admin of the team can raise it.',
    place: 'team',
    act: 'Limits of members',
  },
  'SPENDING_LIMIT_EXCEEDED month': {
    title: 'Calls exceed the account’s monthly limit',
    remedy: 'Wait until it resets, or raise it on the Billing page.',
    place: 'monthly-limit',
    act: 'Raise the limit',
  },
  TOOL_NOT_ALLOWED: {
    title: 'The key may not call the tool',
    remedy: 'Add the tool to the key’s rules, or use another key.',
    place: 'rules',
    act: 'Edit the tools',
  },
  IP_NOT_ALLOWED: {
    title: 'The key may not be used from that address',
    remedy: 'Add its network to the key’s rules.',
    place: 'rules',
    act: 'Edit the networks',
  },
  AUTH_FAILED: {
    title: 'The key is expired or revoked',
    remedy: 'Set a later expiry in its rules, or create another key.',
    place: 'key',
    act: 'Open the key',
  },
  INVALID_INPUT: {
    title: 'The input was invalid',
    remedy: 'The messages name the field. The tool’s page describes the input, with examples.',
    ...READ,
  },
  TOOL_NOT_FOUND: {
    title: 'No tool has that name',
    remedy: 'The messages have the name that was sent.',
    place: 'tools',
    act: 'Find the tool',
  },
  SKILL_NOT_FOUND: {
    title: 'The tool has no such skill',
    remedy: 'The messages have the name that was sent.',
    place: 'tool',
    act: 'Skills of the tool',
  },
  TOOL_UNAVAILABLE: {
    title: 'The tool is unavailable',
    remedy: 'Its page says why. Use another tool for now.',
    place: 'tool',
    act: 'Why it is unavailable',
  },
  MISSING_CREDENTIALS: {
    title: 'A provider key is missing',
    remedy: 'Save the provider key that the tool needs.',
    place: 'provider-keys',
    act: 'Save a provider key',
  },
  COST_LIMIT_EXCEEDED: {
    title: 'The call could cost more than it allowed',
    remedy: 'Raise max_cost_usd of the call, or choose a smaller input.',
    ...READ,
  },
};

type Reason = { error_code: string; limit: string | null };

/**
 * Why calls are refused, what helps, and where.
 * @param apiKey decides whether a rate limit is the key's own
 */
export function findRefusalCause(
  { error_code: code, limit }: Reason,
  apiKey?: Pick<ApiKey, 'rate_limits'>,
): RefusalCause {
  const cause =
    code === 'RATE_LIMIT_EXCEEDED'
      ? findRateCause(limit, apiKey)
      : (CAUSES[`${code} ${limit}`] ?? CAUSES[code]);
  return cause ?? { title: 'The call was refused', remedy: errorHint(code), ...READ };
}

function findRateCause(limit: string | null, apiKey: Pick<ApiKey, 'rate_limits'> | undefined): RefusalCause {
  const window = CALL_WINDOWS.find(({ name }) => name === limit);
  if (!window && limit !== 'concurrency')
    return { title: 'A limit refuses calls of this key', remedy: errorHint('RATE_LIMIT_EXCEEDED'), ...READ };
  const title = `The key has reached its limit of calls ${window?.per ?? 'at once'}`;
  const wait = window ? 'Wait until it resets' : 'Wait until a running call ends';
  if (!apiKey)
    return {
      title,
      remedy: `${wait}, or raise the limit if it is the key’s own.`,
      place: 'key',
      act: 'Limits of the key',
    };
  const isOfKey = (apiKey.rate_limits?.[window?.field ?? 'concurrent'] ?? null) !== null;
  return {
    title,
    remedy: isOfKey
      ? `${wait}, or raise the limit in the key’s rules.`
      : `${wait}, or use another key: each key of the account has this limit.`,
    place: isOfKey ? 'rules' : null,
    act: 'Raise the limit',
  };
}

interface PlaceOf extends Reason {
  key_id: string | null;
  /** Only an API key has a page. */
  kind: 'api' | 'playground' | 'oauth' | null;
  tool: string | null;
  /** Of the last call, if all are of the tool. */
  skill?: string | null;
}

/** The field of the rules that refused, by code: the dialog opens there. */
const RULE_FIELDS: Partial<Record<string, string>> = {
  TOOL_NOT_ALLOWED: 'allowed_tools',
  IP_NOT_ALLOWED: 'allowed_ips',
};

/**
 * The link that leads to where a cause is removed; null if there is none, or it is the message.
 * @param billing the account of the key: the slug of a team
 */
export function findRemedyLink(
  { key_id: id, kind, tool, skill, ...reason }: PlaceOf,
  billing: string | undefined,
): { href: string; label: string } | null {
  const { place, act: label } = findRefusalCause(reason);
  const keyPage = id === null || kind !== 'api' ? null : `/dashboard/keys/${id}`;
  // The dialog marks what was asked for.
  const asked =
    tool === null || reason.error_code !== 'TOOL_NOT_ALLOWED'
      ? ''
      : `:${encodeURIComponent(skill ? `${tool}.${skill}` : tool)}`;
  const billingPage = withBilling('/dashboard/billing', billing ?? null);
  const hrefs: Record<Place, string | null> = {
    credits: keyPage && `${keyPage}?credits=1`,
    rules: keyPage && `${keyPage}?rules=${RULE_FIELDS[reason.error_code] ?? '1'}${asked}`,
    key: keyPage,
    billing: billingPage,
    'monthly-limit': `${billingPage}#monthly-limit`,
    team: `/dashboard/team${billing === undefined ? '' : `/${encodeURIComponent(billing)}`}`,
    tool: tool === null ? null : `/tools/${encodeURIComponent(tool)}`,
    tools: '/tools',
    // The search finds the providers of a tool.
    'provider-keys': `/dashboard/provider-keys${tool === null ? '' : `?q=${encodeURIComponent(tool)}`}`,
    message: null,
  };
  const href = place && hrefs[place];
  return href ? { href, label } : null;
}

import { invalidFields } from '../../core/errors/field-errors';
import type { GatewayError } from '../../core/errors/gateway-error';
import { unknownName } from '../../core/errors/unknown-name';
import { chooseQuotas, NO_LIMIT, normalizeNetwork } from '../../core/limits/key-rules';
import { CALL_WINDOWS } from '../../core/limits/limits';
import type { Quotas } from '../../core/limits/windows';
import type { Runtime } from '../../core/runtime';
import { microusdFromUsd } from '../../kit/money';
import type { KeyRulesInput } from './schema';
import { type KeyColumns, type KeyRow, SPEND_BEGINS } from './store';

/**
 * Converts the rules of a request to the columns that it changes.
 * @param options.before the locked row; null for a new key
 * @param options.quotas the limits of the account's keys; null: the gateway's
 * @throws GatewayError INVALID_INPUT, naming an unknown tool, or a limit above the account's
 */
export function toKeyColumns(
  runtime: Pick<Runtime, 'quotas' | 'tools'>,
  { expires_at, allowed_tools, allowed_ips, spend_limit, rate_limits, tags }: KeyRulesInput,
  { before, quotas }: { before: KeyRow | null; quotas: Quotas | null },
): KeyColumns {
  return {
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : new Date(expires_at) }),
    ...(allowed_tools !== undefined && {
      allowedTools: allowed_tools && readTools(runtime, allowed_tools, before?.allowedTools ?? []),
    }),
    ...(allowed_ips !== undefined && { allowedIps: allowed_ips && readNetworks(allowed_ips) }),
    ...(spend_limit !== undefined && toSpendColumns(spend_limit, before)),
    ...(rate_limits !== undefined && toLimitColumns(chooseQuotas(runtime.quotas, quotas), rate_limits)),
    ...(tags !== undefined && { tags: [...new Set(tags)] }),
  };
}

/** @throws GatewayError INVALID_INPUT: a new key must work */
export function refuseExpired(expiresAt: string | null | undefined): void {
  if (expiresAt && new Date(expiresAt) <= new Date()) throw invalid('expires_at', 'Must be in the future.');
}

/** @param before names that the key has, also of tools that have been removed since */
function readTools({ tools }: Pick<Runtime, 'tools'>, names: string[], before: readonly string[]): string[] {
  for (const [place, name] of names.entries()) {
    if (before.includes(name)) continue;
    const path = `allowed_tools[${place}]`;
    const [, toolName = '', skillName] = /^([^.]*)(?:\.(.*))?$/.exec(name) ?? [];
    const tool = tools.findTool(toolName);
    if (!tool) throw invalid(path, unknownName('tool', toolName, tools.toolNames()));
    const skills = tool.skills.map((skill) => skill.name);
    if (skillName !== undefined && !skills.includes(skillName))
      throw invalid(path, unknownName('skill', skillName, skills, tool.name));
  }
  return [...new Set(names)];
}

function readNetworks(networks: string[]): string[] {
  return [...new Set(networks.map((network) => normalizeNetwork(network) ?? network))];
}

/**
 * Another amount for the same period keeps what was spent; another period begins at nothing. Calls
 * that run already are not counted.
 */
function toSpendColumns(limit: NonNullable<KeyRulesInput['spend_limit']> | null, before: KeyRow | null) {
  if (limit === null)
    return {
      spendLimitMicrousd: null,
      spendPeriod: null,
      spendSince: null,
      spendCeilingMicrousd: null,
      spendMicrousd: 0n,
    };
  const amount = microusdFromUsd(limit.amount_usd) ?? 0n;
  const isSame = before?.spendPeriod === limit.period;
  const spent = isSame ? before.spendMicrousd : 0n;
  return {
    spendLimitMicrousd: amount,
    spendPeriod: limit.period,
    spendCeilingMicrousd: spent > amount ? spent : amount,
    ...(isSame ? {} : { spendMicrousd: 0n, spendSince: SPEND_BEGINS }),
  };
}

function toLimitColumns(quotas: Quotas, limits: NonNullable<KeyRulesInput['rate_limits']> | null) {
  const concurrent = limits?.concurrent ?? null;
  const perWindow = CALL_WINDOWS.map(({ field }) => limits?.[field] ?? null);
  for (const [place, { field }] of CALL_WINDOWS.entries())
    requireLower(`rate_limits.${field}`, perWindow[place], quotas.perWindow[place]);
  requireLower('rate_limits.concurrent', concurrent, quotas.concurrent);
  return {
    rateLimits: perWindow.every((limit) => limit === null)
      ? null
      : perWindow.map((limit) => limit ?? NO_LIMIT),
    concurrencyLimit: concurrent,
  };
}

function requireLower(path: string, limit: number | null | undefined, quota = 0): void {
  if (limit && limit > quota) throw invalid(path, `Must be at most ${quota}, the limit of this account.`);
}

function invalid(path: string, message: string): GatewayError {
  return invalidFields([{ path, message }]);
}

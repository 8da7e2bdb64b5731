import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { GatewayError } from '../errors/gateway-error';
import type { Quotas } from './windows';

/** The rules of a key that has some, as read with it; `rulesVersion` identifies them. */
export interface KeyRules {
  /** The limits of the key's account; null: the gateway's. */
  readonly accountQuotas: Quotas | null;
  readonly expiresAt: Date | null;
  /** `tool` or `tool.skill`; null: all. */
  readonly allowedTools: ReadonlySet<string> | null;
  readonly networks: Networks | null;
  /** In the order of CALL_WINDOWS; NO_LIMIT: the account's limit. */
  readonly rateLimits: readonly number[];
  readonly concurrencyLimit: number | null;
  /** The calendar period of its spending limit; null: no limit. */
  readonly spendPeriod: SpendPeriod | null;
}

/** Apart: in a BlockList, an IPv6 network may contain IPv4 addresses, as `::/0` does. */
interface Networks {
  readonly ipv4: BlockList;
  readonly ipv6: BlockList;
}

/** Stands for no limit of its own in `rateLimits`: the driver reads no nulls in arrays. */
export const NO_LIMIT = 2_147_483_647;

export type SpendPeriod = 'day' | 'week' | 'month';

/** The call limits of an account, from its columns; null: the gateway's. */
export function toQuotas(perWindow: readonly number[] | null, concurrent: number | null): Quotas | null {
  return perWindow === null || concurrent === null ? null : { perWindow, concurrent };
}

/** The call limits of an account; the gateway's for a window that is newer than those limits. */
export function chooseQuotas(gateway: Quotas, account: Quotas | null): Quotas {
  if (account === null) return gateway;
  return {
    perWindow: gateway.perWindow.map((quota, place) => account.perWindow[place] ?? quota),
    concurrent: account.concurrent,
  };
}

/** The call limits of a key: its account's or the gateway's, or lower ones of its own. */
export function limitQuotas(gateway: Quotas, rules: KeyRules | null): Quotas {
  const quotas = chooseQuotas(gateway, rules?.accountQuotas ?? null);
  if (!rules || (rules.concurrencyLimit === null && rules.rateLimits.length === 0)) return quotas;
  const lower = (quota: number, own?: number | null) => Math.min(quota, own ?? quota);
  return {
    perWindow: quotas.perWindow.map((quota, place) => lower(quota, rules.rateLimits[place])),
    concurrent: lower(quotas.concurrent, rules.concurrencyLimit),
  };
}

/** @throws GatewayError TOOL_NOT_ALLOWED */
export function requireAllowedTool(rules: KeyRules | null, tool: string, skill: string): void {
  const allowed = rules?.allowedTools;
  if (!allowed || allowed.has(tool) || allowed.has(`${tool}.${skill}`)) return;
  throw new GatewayError('TOOL_NOT_ALLOWED', {
    message: `This key may not call ${tool}.${skill}. It may call: ${[...allowed].join(', ')}.`,
    details: { billed: false },
  });
}

/** @throws GatewayError IP_NOT_ALLOWED */
export function requireAllowedAddress(rules: KeyRules | null, clientIp: string): void {
  if (isAllowedAddress(rules, clientIp)) return;
  throw new GatewayError('IP_NOT_ALLOWED', {
    message: `This key may not be used from ${clientIp || 'an unknown address'}.`,
    details: { billed: false },
  });
}

export function isAllowedAddress(rules: KeyRules | null, clientIp: string): boolean {
  if (!rules?.networks) return true;
  const address = unmapAddress(clientIp);
  if (isIPv4(address)) return rules.networks.ipv4.check(address, 'ipv4');
  return isIPv6(address) && rules.networks.ipv6.check(address, 'ipv6');
}

/** The error for a key after its `expires_at`. */
export function keyExpired(): GatewayError {
  return new GatewayError('AUTH_FAILED', {
    message: 'This API key has expired.',
    hint: 'Use another key, or ask the owner of the account to set a later expires_at.',
    details: { billed: false },
  });
}

/** Bits before the IPv4 address in one that is mapped to IPv6. */
const MAPPED_BITS = 96;

/** `::ffff:192.0.2.1`, an IPv4 client of a socket that also accepts IPv6, as IPv4. */
function unmapAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address;
}

/**
 * Writes a network as `address/prefix`; a single address gets the longest prefix.
 * @returns null if it is neither
 */
export function normalizeNetwork(text: string): string | null {
  const [, given = '', prefix] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const address = unmapAddress(given);
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0;
  // A prefix of ::ffff:192.0.2.0/120 counts 96 bits that the IPv4 address does not have.
  const unmapped = address === given ? 0 : MAPPED_BITS;
  const length = prefix === undefined ? bits : Number(prefix) - unmapped;
  if (bits === 0 || length < 0 || length > bits) return null;
  return `${address.toLowerCase()}/${length}`;
}

/** @param networks as `normalizeNetwork` writes them */
export function toNetworks(networks: readonly string[]): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    lists[family].addSubnet(address, Number(prefix), family);
  }
  return lists;
}

/** Where the calendar period of a time begins and ends (UTC); weeks begin on Monday. */
export function findSpendPeriod(period: SpendPeriod, now: Date): { start: Date; end: Date } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const monday = day - ((now.getUTCDay() + 6) % 7);
  const at = (...date: [number, number, number]) => new Date(Date.UTC(...date));
  switch (period) {
    case 'day':
      return { start: at(year, month, day), end: at(year, month, day + 1) };
    case 'week':
      return { start: at(year, month, monday), end: at(year, month, monday + 7) };
    case 'month':
      return { start: at(year, month, 1), end: at(year, month + 1, 1) };
    default:
      return period satisfies never;
  }
}

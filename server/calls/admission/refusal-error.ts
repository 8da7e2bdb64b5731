import { accountFrozen } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Hint } from '../../core/errors/hint';
import { findSpendPeriod, keyExpired, limitQuotas, type SpendPeriod } from '../../core/limits/key-rules';
import { CALL_WINDOWS, type WindowName } from '../../core/limits/limits';
import type { Quotas } from '../../core/limits/windows';
import type { Runtime } from '../../core/runtime';
import { formatUsd } from '../../kit/money';
import { disputedError } from '../../money/billing/disputed-error';
import type { PreparedCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import type { AdmissionRefusal, AdmitResult } from './store';

/** Seconds until the start of the next month, UTC. */
export function secondsToNextMonth(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.ceil((next - now.getTime()) / 1000);
}

/** Converts a refusal of the database into the error for the client. */
export function refusalError(
  result: AdmitResult,
  runtime: Pick<Runtime, 'quotas' | 'settings' | 'ports'>,
  { quote, chargedTo: billing, rules }: Pick<PreparedCall, 'quote' | 'chargedTo' | 'rules'>,
): GatewayError {
  const quotas = limitQuotas(runtime.quotas, rules);
  const outcome = result.outcome as AdmissionRefusal;
  if (isWindow(outcome)) return windowError(outcome, result, quotas);
  switch (outcome) {
    case 'revoked':
    case 'moved':
      return new GatewayError('AUTH_FAILED', { details: { billed: false } });
    case 'expired':
      return keyExpired();
    case 'changed':
      return new GatewayError('UNAVAILABLE', {
        message: 'The rules of this key changed several times during the request.',
        details: { retry_after: 1, billed: false },
      });
    case 'frozen':
      return accountFrozen({ details: { billed: false } });
    case 'disputed':
      return disputedError({ billed: false });
    case 'forbidden':
      return new GatewayError('FORBIDDEN', {
        message: 'The owner of this key is not a member of that billing account.',
        details: { billed: false },
      });
    case 'concurrency':
      return rateLimited(`At most ${quotas.concurrent} calls at once.`, 'concurrency', 1);
    case 'month': {
      const retryAfter = secondsToNextMonth(new Date());
      return new GatewayError('SPENDING_LIMIT_EXCEEDED', {
        details: { limit: 'month', retry_after: retryAfter, billed: false },
      });
    }
    case 'spend':
      return spendError(rules?.spendPeriod ?? 'day');
    case 'member':
      return memberError(billing);
    case 'debt':
      return outOfCredit(runtime, {
        limit: 'debt',
        message: `A refund or dispute left a debt on ${describeAccount(billing)}.`,
        page: billingPage(billing),
      });
    case 'key':
      return outOfCredit(runtime, {
        limit: 'key',
        message: `The call can cost ${formatUsd(sumCost(quote))}, more than is left of this key's credit limit.`,
        hint: {
          rest: "Raise the key's credit limit with POST /v1/keys/{id}/credits or in the dashboard under Keys, or call a free skill. Credit of the account does not raise it.",
          mcp: "Ask the user to raise the key's credit limit in the dashboard under Keys, or call a free skill. Credit of the account does not raise it.",
        },
        page: '/dashboard/keys',
      });
    case 'account':
      return outOfCredit(runtime, {
        limit: 'account',
        message: `The call can cost ${formatUsd(sumCost(quote))}; ${describeAccount(billing)} has ${formatUsd(result.available)}.`,
        page: billingPage(billing),
        ...(billing === 'personal'
          ? {}
          : {
              hint: `Add credit to the team ${billing} in the dashboard under Billing, or call a free skill.`,
            }),
      });
    default:
      return outcome satisfies never;
  }
}

function isWindow(outcome: AdmissionRefusal): outcome is WindowName {
  return CALL_WINDOWS.some(({ name }) => name === outcome);
}

function windowError(name: WindowName, { windows }: AdmitResult, quotas: Quotas): GatewayError {
  const place = CALL_WINDOWS.findIndex((window) => window.name === name);
  const message = `At most ${quotas.perWindow[place]} calls ${CALL_WINDOWS[place]?.per}.`;
  return rateLimited(message, name, windows[place]?.resetSeconds ?? 1);
}

function spendError(period: SpendPeriod): GatewayError {
  const now = new Date();
  const retryAfter = Math.ceil((findSpendPeriod(period, now).end.getTime() - now.getTime()) / 1000);
  return new GatewayError('SPENDING_LIMIT_EXCEEDED', {
    message: `This would exceed the spending limit of this key for the ${period}.`,
    hint: `Wait for the next ${period} (UTC), or ask the owner of the account to raise spend_limit of the key.`,
    details: { limit: 'key', retry_after: retryAfter, billed: false },
  });
}

function memberError(team: string): GatewayError {
  return new GatewayError('SPENDING_LIMIT_EXCEEDED', {
    message: `This would exceed what the owner of this key may spend from the team ${team} this month.`,
    hint: `Wait for the next month (UTC), or ask an owner or admin of the team to raise the limit of the member in the dashboard under Team.`,
    details: { limit: 'member', retry_after: secondsToNextMonth(new Date()), billed: false },
  });
}

function rateLimited(message: string, limit: string, resetSeconds: number): GatewayError {
  const retryAfter = Math.max(1, resetSeconds);
  return new GatewayError('RATE_LIMIT_EXCEEDED', {
    message,
    hint: `Wait ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'} and try again.`,
    details: { limit, retry_after: retryAfter, billed: false },
  });
}

interface Shortage {
  limit: 'account' | 'key' | 'debt';
  message: string;
  hint?: Hint | undefined;
  /** Dashboard page where a person can fix it. */
  page: string;
}

const NO_SALE = 'Ask the operator of this gateway for credit, which it does not sell, or call a free skill.';

function outOfCredit(
  runtime: Pick<Runtime, 'settings' | 'ports'>,
  { limit, message, hint, page }: Shortage,
): GatewayError {
  return new GatewayError('INSUFFICIENT_CREDITS', {
    message,
    hint: limit === 'key' || runtime.ports.payments ? hint : NO_SALE,
    details: { limit, billed: false, top_up: { url: `${runtime.settings.baseUrl}${page}` } },
  });
}

function describeAccount(billing: string): string {
  return billing === 'personal' ? 'this account' : `the team ${billing}`;
}

function billingPage(billing: string): string {
  const query = billing === 'personal' ? '' : `?billing=${encodeURIComponent(billing)}`;
  return `/dashboard/billing${query}`;
}

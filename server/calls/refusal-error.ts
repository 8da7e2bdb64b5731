import { formatUsd } from '../billing/money';
import { type ErrorDetails, GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { type CallCost, total } from './price-call';
import type { OpenRefusal, OpenResult } from './store';

/** Seconds until the first instant of the next month, UTC. */
export function secondsToNextMonth(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.ceil((next - now.getTime()) / 1000);
}

/** What the client is told when the database refused to open its call. */
export function refusalError(opened: OpenResult, runtime: Runtime, quote: CallCost): GatewayError {
  const outcome = opened.outcome as OpenRefusal;
  switch (outcome) {
    case 'revoked':
    case 'moved':
      return new GatewayError('AUTH_FAILED', { details: { billed: false } });
    case 'frozen':
      return new GatewayError('FORBIDDEN', {
        message: 'This account is frozen.',
        hint: 'Ask the operator of this gateway.',
        details: { billed: false },
      });
    case 'disputed':
      return new GatewayError('FORBIDDEN', {
        message:
          'A payment of this account is disputed: calls that cost something wait until that is decided.',
        hint: 'Withdraw the dispute with the bank that issued the card, or ask the operator. Free skills go on.',
        details: { billed: false },
      });
    case 'forbidden':
      return new GatewayError('FORBIDDEN', {
        message: 'The owner of this key is no member of that billing account.',
        details: { billed: false },
      });
    case 'minute':
      return limited(
        `At most ${runtime.quotas.perMinute} calls a minute.`,
        'minute',
        opened.windows.minuteReset,
      );
    case 'hour':
      return limited(`At most ${runtime.quotas.perHour} calls an hour.`, 'hour', opened.windows.hourReset);
    case 'concurrency':
      return limited(`At most ${runtime.quotas.concurrent} calls at once.`, 'concurrency', 1);
    case 'month': {
      const retryAfter = secondsToNextMonth(new Date());
      return new GatewayError('SPENDING_LIMIT_EXCEEDED', {
        details: { limit: 'month', retry_after: retryAfter, billed: false },
        headers: { 'Retry-After': String(retryAfter) },
      });
    }
    case 'debt':
      return broke('A refund or dispute left a debt on this account.', 'debt', runtime);
    case 'key':
      return broke(
        `The call can cost ${formatUsd(total(quote))}; the key's own credits do not cover it.`,
        'key',
        runtime,
      );
    case 'account':
      return broke(
        `The call can cost ${formatUsd(total(quote))}; ${formatUsd(opened.available)} is available.`,
        'account',
        runtime,
      );
    default:
      return outcome satisfies never;
  }
}

function limited(message: string, limit: string, resetSeconds: number): GatewayError {
  const retryAfter = Math.max(1, resetSeconds);
  return new GatewayError('RATE_LIMIT_EXCEEDED', {
    message,
    hint: `Wait ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'} and try again.`,
    details: { limit, retry_after: retryAfter, billed: false },
    headers: { 'Retry-After': String(retryAfter) },
  });
}

function broke(message: string, limit: NonNullable<ErrorDetails['limit']>, runtime: Runtime): GatewayError {
  return new GatewayError('INSUFFICIENT_CREDITS', {
    message,
    details: { limit, billed: false, top_up: { url: `${runtime.settings.baseUrl}/dashboard/billing` } },
  });
}

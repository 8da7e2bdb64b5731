import { GatewayError } from '../../core/errors/gateway-error';
import { formatUsd } from '../../kit/money';
import type { PreferencesChange, PreferencesRow } from './store';

interface ReloadSettings {
  amount: bigint;
  dailyLimit: bigint;
}

/**
 * The auto-recharge settings after a change. The amount may be less than the threshold: the caps
 * of charges bound what calls then buy (threats F19). Switching off is always allowed.
 * @throws GatewayError INVALID_INPUT, naming both fields
 */
export function checkReload(before: PreferencesRow, change: PreferencesChange): ReloadSettings {
  const after = {
    amount: change.amount ?? before.amount,
    dailyLimit: change.dailyLimit ?? before.daily_limit,
  };
  const isChecked = change.enabled === true || change.amount !== undefined || change.dailyLimit !== undefined;
  if (!isChecked) return after;
  const { amount, dailyLimit } = after;
  if (dailyLimit < amount)
    throw conflict(
      ['autoReloadDailyLimit', `Must be at least autoReloadAmount (${formatUsd(amount)}).`],
      ['autoReloadAmount', `Must be at most autoReloadDailyLimit (${formatUsd(dailyLimit)}).`],
    );
  return after;
}

/** Names both fields: only the caller knows which of them is wrong. */
function conflict(first: [path: string, message: string], second: [string, string]): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: `${first[0]}: ${first[1]}`,
    hint: `Send ${first[0]} and ${second[0]} together so that they are consistent.`,
    details: { fields: [first, second].map(([path, message]) => ({ path, message })) },
  });
}

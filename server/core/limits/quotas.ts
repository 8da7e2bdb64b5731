import { CALL_WINDOWS, type Quotas } from './windows';

type LimitSetting = (typeof CALL_WINDOWS)[number]['setting'] | 'concurrentCalls';

/** The limits of an account as its keys have them: both null where the gateway's apply. */
export interface AccountQuotas {
  accountQuotas: number[] | null;
  accountConcurrency: number | null;
}

/** The call limits of an account's keys; null: the gateway's. */
export function readAccountQuotas({ accountQuotas, accountConcurrency }: AccountQuotas): Quotas | null {
  if (accountQuotas === null || accountConcurrency === null) return null;
  return { perWindow: accountQuotas, concurrent: accountConcurrency };
}

/** The call limits of a key, as the operator set them. */
export function getQuotas(settings: Readonly<Record<LimitSetting, number>>): Quotas {
  return {
    perWindow: CALL_WINDOWS.map(({ setting }) => settings[setting]),
    concurrent: settings.concurrentCalls,
  };
}

import { CALL_WINDOWS, type Quotas } from './windows';

type LimitSetting = (typeof CALL_WINDOWS)[number]['setting'] | 'concurrentCalls';

/** The call limits of a key, as the operator set them. */
export function getQuotas(settings: Readonly<Record<LimitSetting, number>>): Quotas {
  return {
    perWindow: CALL_WINDOWS.map(({ setting }) => settings[setting]),
    concurrent: settings.concurrentCalls,
  };
}

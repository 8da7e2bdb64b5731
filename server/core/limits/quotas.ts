import type { Settings } from '../../platform/settings/settings';
import type { Quotas } from './windows';

/** The call limits of a key, as the operator set them. */
export function quotasOf(
  settings: Pick<Settings, 'ratePerMinute' | 'ratePerHour' | 'concurrentCalls'>,
): Quotas {
  return {
    perMinute: settings.ratePerMinute,
    perHour: settings.ratePerHour,
    concurrent: settings.concurrentCalls,
  };
}

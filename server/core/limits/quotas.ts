import type { Quotas } from './windows';

/** The call limits of a key, as the operator set them. */
export function quotasOf(
  settings: Readonly<Record<'ratePerMinute' | 'ratePerHour' | 'concurrentCalls', number>>,
): Quotas {
  return {
    perMinute: settings.ratePerMinute,
    perHour: settings.ratePerHour,
    concurrent: settings.concurrentCalls,
  };
}

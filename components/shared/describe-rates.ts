import { CALL_WINDOWS, type WindowField } from '@/server/core/limits/limits';
import { formatNumber } from '../ui/format-number';

/** `60 a minute, 1,000 an hour, 5 at once`, without those that are null. */
export function describeRates(rates: Record<WindowField | 'concurrent', number | null>): string {
  const describe = (rate: number | null, per: string) =>
    rate === null ? [] : [`${formatNumber(rate)} ${per}`];
  return [
    ...CALL_WINDOWS.flatMap(({ field, per }) => describe(rates[field], per)),
    ...describe(rates.concurrent, 'at once'),
  ].join(', ');
}

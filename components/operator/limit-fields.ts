import type { LimitsInput, Plan } from '@/server/identity/plans/schema';
import { readAmount } from '../shared/amount';
import { formatCount } from '../shared/format';
import { InputProblem } from '../shared/use-submit';
import { formatNumber } from '../ui/format-number';
import type { ActField } from './act-dialog';

type Limits = Pick<Plan, 'concurrent' | 'month_limit_max_usd' | 'per_hour' | 'per_minute' | 'storage_mib'>;

const NUMBERS = [
  ['per_minute', 'Calls per key per minute'],
  ['per_hour', 'Calls per key per hour'],
  ['concurrent', 'Concurrent calls per key'],
  ['storage_mib', 'Storage in MiB'],
] as const;
const MAXIMUM = 'Highest monthly limit';

/** The fields of limits, filled with the present ones. */
export function limitFields(limits: Limits): ActField[] {
  const { month_limit_max_usd: max } = limits;
  return [
    ...NUMBERS.map(([name, label]) => ({
      name,
      label,
      defaultValue: String(limits[name]),
      decimal: true,
    })),
    {
      name: 'month_limit_max_usd',
      label: MAXIMUM,
      hint: 'In dollars per calendar month. Empty: the account may have any limit, or none.',
      defaultValue: max === null ? '' : String(max),
      decimal: true,
    },
  ];
}

/** Reads what was typed. @throws InputProblem naming the field */
export function readLimits(values: Record<string, string>): LimitsInput {
  const read = (name: (typeof NUMBERS)[number][0], label: string) => {
    const text = (values[name] ?? '').replaceAll(/[\s,]/g, '');
    if (!/^[1-9]\d{0,7}$/.test(text)) throw new InputProblem(`${label}: enter a whole number above 0.`);
    return Number(text);
  };
  const numbers = Object.fromEntries(NUMBERS.map(([name, label]) => [name, read(name, label)]));
  return {
    ...(numbers as Omit<LimitsInput, 'month_limit_max_usd'>),
    month_limit_max_usd: readMaximum(values),
  };
}

function readMaximum({ month_limit_max_usd: text = '' }: Record<string, string>): number | null {
  if (text === '') return null;
  const amount = readAmount(MAXIMUM, text);
  if ('problem' in amount) throw new InputProblem(amount.problem);
  if (amount.usd === 0) throw new InputProblem(`${MAXIMUM}: enter more than zero, or nothing.`);
  return amount.usd;
}

/** `60 a minute, 1,000 an hour, 5 at once` */
export function describeRates({ per_minute, per_hour, concurrent }: Limits): string {
  return `${formatNumber(per_minute)} a minute, ${formatNumber(per_hour)} an hour, ${formatNumber(concurrent)} at once`;
}

/** `12 accounts` */
export function describeAccounts({ accounts }: Pick<Plan, 'accounts'>): string {
  return formatCount(accounts, 'account');
}

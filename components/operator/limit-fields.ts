import { CALL_WINDOWS, mapWindows } from '@/server/core/limits/limits';
import type { Limits, LimitsInput, Plan } from '@/server/identity/plans/schema';
import { readAmount } from '../shared/amount';
import { formatCount } from '../shared/format';
import { InputProblem } from '../shared/use-submit';
import type { ActField } from './act-dialog';

const LABELS = {
  ...mapWindows(({ name }) => `Calls per key per ${name}`),
  concurrent: 'Concurrent calls per key',
  storage_mib: 'Storage in MiB',
};
const NUMBERS = [...CALL_WINDOWS.map(({ field }) => field), 'concurrent', 'storage_mib'] as const;
const MAXIMUM = 'Highest monthly limit';

/** The fields of limits, filled with the present ones. */
export function limitFields(limits: Limits): ActField[] {
  const { month_limit_max_usd: max } = limits;
  return [
    ...NUMBERS.map((name) => ({
      name,
      label: LABELS[name],
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
  const read = (name: (typeof NUMBERS)[number]) => {
    const text = (values[name] ?? '').replaceAll(/[\s,]/g, '');
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new InputProblem(`${LABELS[name]}: enter a whole number above 0.`);
    return Number(text);
  };
  return {
    ...mapWindows(({ field }) => read(field)),
    concurrent: read('concurrent'),
    storage_mib: read('storage_mib'),
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

/** `12 accounts` */
export function describeAccounts({ accounts }: Pick<Plan, 'accounts'>): string {
  return formatCount(accounts, 'account');
}

import { cn } from './cn';

/**
 * Dollars to the last micro-dollar, never rounded: `$0.0005`, `$1,204.50`, `−$3.00`.
 * @param usd a number from the API, with at most six decimals
 */
export function formatMoney(usd: number, sign: 'auto' | 'always' = 'auto'): string {
  const micros = BigInt(Math.round(usd * 1e6));
  const abs = micros < 0n ? -micros : micros;
  const whole = (abs / 1_000_000n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = (abs % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  const prefix = micros < 0n ? '−' : sign === 'always' && micros > 0n ? '+' : '';
  return `${prefix}$${whole}.${fraction}`;
}

interface MoneyProps {
  /** Dollars, as in the API. */
  usd: number;
  /** `always` adds a plus sign too, for transactions. */
  sign?: 'auto' | 'always';
  className?: string | undefined;
}

/** An amount; its title shows micro-dollars, the unit of the ledger. */
export function Money({ usd, sign, className }: MoneyProps) {
  const micros = Math.round(usd * 1e6);
  return (
    <data
      value={String(usd)}
      title={`${micros.toLocaleString('en-US')} micro-dollars`}
      className={cn('whitespace-nowrap tabular-nums', className)}
    >
      {formatMoney(usd, sign)}
    </data>
  );
}

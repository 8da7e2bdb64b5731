import { cn } from './cn';
import { formatCompact, formatNumber } from './format-number';

type Sign = 'auto' | 'always';

/**
 * Dollars to the last micro-dollar, never rounded: `$0.0005`, `$1,204.50`, `−$3.00`.
 * @param usd a number from the API, with at most six decimals
 * @param decimals at least this many, for amounts that stand in one column
 */
export function formatMoney(usd: number, sign: Sign = 'auto', decimals = 2): string {
  const micros = BigInt(Math.round(usd * 1e6));
  const abs = micros < 0n ? -micros : micros;
  const whole = (abs / 1_000_000n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = (abs % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
    .padEnd(decimals, '0');
  const prefix = micros < 0n ? '−' : sign === 'always' && micros > 0n ? '+' : '';
  return `${prefix}$${whole}.${fraction}`;
}

/** The decimals that a column needs to show these amounts exactly: 2 to 6. */
export function countDecimals(amounts: readonly number[]): number {
  return amounts.reduce((most, usd) => Math.max(most, formatMoney(usd).split('.')[1]?.length ?? 0), 2);
}

/**
 * Dollars and cents, rounded: `$12.74`; `<$0.01` for less than a cent.
 * @param down rounds down: a balance must not look as if it covered more
 */
export function formatCents(usd: number, sign: Sign = 'auto', down = false): string {
  const micros = Math.round(Math.abs(usd) * 1e6);
  const cents = (down ? Math.floor : Math.round)(micros / 1e4);
  if (cents === 0 && micros !== 0) return usd < 0 ? '−<$0.01' : sign === 'always' ? '+<$0.01' : '<$0.01';
  return formatMoney((Math.sign(usd) * cents) / 100, sign);
}

/** Above it, amounts of a chart are read in cents. */
const CENTS_FROM_USD = 0.1;

/** How the amounts of a chart are written: all in cents, or if all are tiny, all exactly. */
export function moneyFormat(amounts: readonly number[]): (usd: number) => string {
  if (amounts.some((usd) => Math.abs(usd) >= CENTS_FROM_USD)) return (usd) => formatCents(usd);
  const decimals = countDecimals(amounts);
  return (usd) => formatMoney(usd, 'auto', decimals);
}

/** `$0`, `$0.80`, `$0.0005`, `$15`, `$1.5K`: an amount on an axis. */
export function formatMoneyTick(usd: number): string {
  if (usd === 0) return '$0';
  if (usd >= 1000) return `$${formatCompact(usd)}`;
  if (usd >= 10 && Number.isInteger(usd)) return `$${usd}`;
  return `$${usd.toFixed(8).replace(/(\.\d{2}\d*?)0+$/, '$1')}`;
}

interface MoneyProps {
  /** Dollars, as in the API. */
  usd: number;
  /** All decimals: for single calls and prices. Totals and balances have two. */
  exact?: boolean;
  /** Of an exact amount in a column: at least this many decimals. */
  decimals?: number | undefined;
  /** A figure of its own: shows the exact amount on focus too, if it hides decimals. */
  headline?: boolean;
  /** `always` adds a plus sign too, for transactions. */
  sign?: Sign;
  /** Rounds down, for a balance. */
  down?: boolean;
  className?: string | undefined;
}

/** An amount; its title is the exact one, also in micro-dollars, the unit of the ledger. */
export function Money({ usd, exact, decimals, headline, sign, down, className }: MoneyProps) {
  const micros = Math.round(usd * 1e6);
  const [full, short] = [formatMoney(usd, sign), formatCents(usd, sign, down)];
  const isFocusable = headline === true && full !== short;
  return (
    <data
      value={String(usd)}
      title={`${full} (${formatNumber(micros)} micro-dollars)`}
      // Keyboard and touch have no hover.
      tabIndex={isFocusable ? 0 : undefined}
      data-exact={isFocusable ? full : undefined}
      className={cn('whitespace-nowrap tabular-nums', isFocusable && 'exact-on-focus', className)}
    >
      {exact ? formatMoney(usd, sign, decimals) : short}
    </data>
  );
}

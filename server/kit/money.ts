/** US dollars in millionths, the only representation of money inside the gateway. */
export type Microusd = bigint;

export const MICROUSD_PER_USD = 1_000_000n;
/** A billion dollars. Up to here a double holds each micro-dollar, also after `usd * 1e6`. */
export const MAX_MICROUSD = 1_000_000_000n * MICROUSD_PER_USD;

/**
 * Converts a JSON number of dollars to micro-dollars.
 * @param usd dollars, at most six decimals
 * @returns the exact amount; null if not finite, too large, or with more than six decimals
 */
export function microusdFromUsd(usd: number): Microusd | null {
  if (!Number.isFinite(usd) || Math.abs(usd) * 1e6 > Number(MAX_MICROUSD)) return null;
  const micros = Math.round(usd * 1e6);
  // Dividing back gives the same number exactly when it had at most six decimals.
  return micros / 1e6 === usd ? BigInt(micros) : null;
}

/**
 * A limit in dollars that its schema has checked; null: no limit.
 * @throws RangeError for another amount, which must not become no limit
 */
export function limitFromUsd(usd: number | null | undefined): Microusd | null {
  if (usd === null || usd === undefined) return null;
  const limit = microusdFromUsd(usd);
  if (limit === null) throw new RangeError(`${usd} is not an amount in dollars with at most six decimals`);
  return limit;
}

/** Converts to the JSON number of dollars, with at most six decimals. */
export function usdFromMicrousd(amount: Microusd): number {
  return Number(amount) / 1e6;
}

/** Formats as `$0.0005`, `$12.50`, `−$3.00`: never rounded, at least two decimals. */
export function formatUsd(amount: Microusd): string {
  const sign = amount < 0n ? '−' : '';
  const abs = amount < 0n ? -amount : amount;
  const whole = (abs / MICROUSD_PER_USD).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = (abs % MICROUSD_PER_USD)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${sign}$${whole}.${fraction}`;
}

/** Formats as `0.250000`: exactly six decimals, for signed documents. */
export function decimalUsd(amount: Microusd): string {
  const sign = amount < 0n ? '-' : '';
  const abs = amount < 0n ? -amount : amount;
  return `${sign}${abs / MICROUSD_PER_USD}.${(abs % MICROUSD_PER_USD).toString().padStart(6, '0')}`;
}

/** A share of an amount in parts per million, rounded up to the micro-dollar. */
export function shareRoundedUp(amount: Microusd, partsPerMillion: bigint): Microusd {
  return (amount * partsPerMillion + 999_999n) / 1_000_000n;
}

/** Micro-dollars per cent. */
export const MICROUSD_PER_CENT = 10_000n;

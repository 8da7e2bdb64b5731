/** US dollars in millionths, the only form money has inside the gateway. */
export type Microusd = bigint;

export const MICROUSD_PER_USD = 1_000_000n;
/** A billion dollars: up to here a JSON number holds every micro-dollar, also through the multiplication below. */
export const MAX_MICROUSD = 1_000_000_000n * MICROUSD_PER_USD;

/**
 * Micro-dollars from a number on the wire.
 * @param usd dollars, at most six decimals
 * @returns the exact amount, or null where the number is not finite, too large, or finer than a micro-dollar
 */
export function microusdFromUsd(usd: number): Microusd | null {
  if (!Number.isFinite(usd) || Math.abs(usd) * 1e6 > Number(MAX_MICROUSD)) return null;
  const micros = Math.round(usd * 1e6);
  // The shortest decimal of micros/1e6 is the number itself exactly when it had at most six decimals.
  return micros / 1e6 === usd ? BigInt(micros) : null;
}

/** The JSON number of an amount: dollars with at most six decimals. */
export function usdFromMicrousd(amount: Microusd): number {
  return Number(amount) / 1e6;
}

/** `$0.0005`, `$12.50`, `−$3.00`: never rounded, at least two decimals. */
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

/** What a share in parts per million of an amount is, rounded up to the micro-dollar. */
export function shareRoundedUp(amount: Microusd, partsPerMillion: bigint): Microusd {
  return (amount * partsPerMillion + 999_999n) / 1_000_000n;
}

/** A cent in micro-dollars. */
export const MICROUSD_PER_CENT = 10_000n;

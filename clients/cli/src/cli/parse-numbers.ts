import type { Arguments } from './command.js';
import { usageError } from './usage-error.js';

/**
 * Reads an integer flag, undefined if it was not given.
 * @throws GatewayError USAGE with the flag and the allowed range
 */
export function readIntegerFlag(
  args: Arguments,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = args.text(name);
  return text === undefined ? undefined : parseInteger(text, `--${name}`, least, most);
}

/** Parses an integer. @throws GatewayError USAGE with `what` and the allowed range */
export function parseInteger(text: string, what: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usageError(`${what} ${JSON.stringify(text)} is invalid.`, `Use an integer from ${least} to ${most}.`);
}

/** Reads --max-cost: dollars with at most six decimals, also 0. @throws GatewayError USAGE */
export function parseCostLimit(args: Arguments): number | undefined {
  const text = args.text('max-cost');
  if (text === undefined) return undefined;
  if (/^\d{1,6}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw usageError(
    `--max-cost ${JSON.stringify(text)} is not an amount.`,
    'Use US dollars, such as 0.05; 0 allows only free calls.',
  );
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Parses a duration such as `90s`, `30m`, `12h` or `7d` to seconds. @throws GatewayError USAGE */
export function parseDuration(text: string, what: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
  if (unit !== '') return seconds;
  throw usageError(`${what} ${JSON.stringify(text)} is not a duration.`, 'Use 90s, 30m, 12h or 7d.');
}

/** Parses a positive amount of US dollars with at most six decimals. @throws GatewayError USAGE */
export function parseAmount(text: string, what: string): number {
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw usageError(
    `${what} ${JSON.stringify(text)} is not an amount.`,
    'Use US dollars, such as 10 or 2.50.',
  );
}

import type { Arguments } from './command.js';
import { usageError } from './usage-error.js';

/** A flag's whole number, undefined where it was not given. @throws GatewayError USAGE that names the flag and the range */
export function numberOf(args: Arguments, name: string, least: number, most: number): number | undefined {
  const text = args.text(name);
  return text === undefined ? undefined : wholeNumber(text, `--${name}`, least, most);
}

/** @throws GatewayError USAGE that names what it is and the range */
export function wholeNumber(text: string, what: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usageError(`${what} is ${JSON.stringify(text)}.`, `Write a whole number from ${least} to ${most}.`);
}

/** Dollars with at most six decimals. @throws GatewayError USAGE */
export function amountOf(text: string, what: string): number {
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw usageError(
    `${what} ${JSON.stringify(text)} is not an amount.`,
    'Write US dollars, such as 10 or 2.50.',
  );
}

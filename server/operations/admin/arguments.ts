import { parseArgs } from 'node:util';
import type { AccountSelector } from '../../identity/accounts/find-account';
import { normalizeEmail } from '../../kit/email-address';
import { type Microusd, microusdFromUsd, usdFromMicrousd } from '../../kit/money';

const AMOUNT = /^\d{1,9}(\.\d{1,6})?$/;

/** The arguments are invalid; the message names the flag and the fix. */
export class UsageError extends Error {}

/** One flag of a command; without `value` it is a switch. */
export interface FlagDefinition {
  /** The placeholder of the value in the help: `USD`, `ID`. */
  value?: string;
  about: string;
  required?: boolean;
  /** Whether the flag may be repeated. */
  many?: boolean;
}

/** A positional argument of a command; it is read like a flag of its name. */
export interface OperandDefinition {
  name: string;
  about: string;
  required?: boolean;
}

/** The flags given in one run. */
export class Flags {
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(given: ReadonlyMap<string, readonly string[]>) {
    this.#given = given;
  }

  has(name: string): boolean {
    return this.#given.has(name);
  }

  /** The value, or undefined if the flag is absent. @throws UsageError if it is empty */
  text(name: string): string | undefined {
    const value = this.#given.get(name)?.[0]?.trim();
    if (value === '') throw new UsageError(`--${name} is empty: give it a value or omit it.`);
    return value;
  }

  /** All values in order. @throws UsageError if one is empty */
  all(name: string): string[] {
    const values = (this.#given.get(name) ?? []).map((value) => value.trim());
    if (values.includes('')) throw new UsageError(`--${name} is empty: give it a value or omit it.`);
    return values;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new UsageError(`--${name} is missing.`);
    return value;
  }

  email(): string | undefined {
    const text = this.text('email');
    if (text === undefined) return undefined;
    try {
      return normalizeEmail(text);
    } catch {
      throw new UsageError(`--email ${text} is not an email address, such as name@example.com.`);
    }
  }

  /** In micro-dollars, converted exactly. */
  amount(name: string): Microusd | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parseAmount(name, text);
  }

  /** The account named by exactly one of --account, --email and --team. */
  account(): AccountSelector {
    const wanted = { accountId: this.text('account'), email: this.email(), teamSlug: this.text('team') };
    const given = Object.values(wanted).filter((value) => value !== undefined);
    if (given.length > 1) throw new UsageError('Use only one of --account, --email and --team.');
    const { accountId, email, teamSlug } = wanted;
    if (accountId !== undefined) return { accountId };
    if (email !== undefined) return { email };
    if (teamSlug !== undefined) return { teamSlug };
    throw new UsageError('Name the account: --account (its id), --email (its owner) or --team (its slug).');
  }
}

/**
 * Parses an amount of dollars into micro-dollars, exactly.
 * @throws UsageError
 */
export function parseAmount(name: string, text: string): Microusd {
  const amount = AMOUNT.test(text) ? microusdFromUsd(Number(text)) : null;
  if (amount !== null) return amount;
  throw new UsageError(
    `--${name} ${text} is not an amount: write US dollars with at most six decimals, such as 2.50.`,
  );
}

/**
 * Parses `--flag value`, `--flag=value`, switches and positional arguments.
 * @throws UsageError for what is unknown, repeated, without its value, or missing
 */
export function parseFlags(
  args: readonly string[],
  known: Record<string, FlagDefinition>,
  operands: readonly OperandDefinition[] = [],
): Flags {
  const given = new Map<string, string[]>();
  const open = [...operands];
  for (const token of tokenize(args, known)) {
    const word = args[token.index] as string;
    const operand = word.startsWith('-') ? undefined : open.shift();
    if (operand) {
      given.set(operand.name, [word]);
      continue;
    }
    const flag = token.kind === 'option' && Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (token.kind !== 'option' || flag === undefined || !word.startsWith('--'))
      throw new UsageError(`${word} is unknown. This command takes: ${listFlags(known)}.`);
    if (given.has(token.name) && !flag.many)
      throw new UsageError(`--${token.name} is given twice: give it once.`);
    given.set(token.name, [...(given.get(token.name) ?? []), readValue(token, flag)]);
  }
  const absent = open.find(({ required }) => required);
  if (absent) throw new UsageError(`Missing: ${absent.name.toUpperCase()} (${absent.about}).`);
  const missing = Object.entries(known).filter(([name, flag]) => flag.required && !given.has(name));
  if (missing.length > 0)
    throw new UsageError(
      `Missing: ${missing.map(([name, { value, about }]) => `--${name} ${value} (${about})`).join(', ')}.`,
    );
  return new Flags(given);
}

/** Not strict: the messages of `parseArgs` do not say what the command takes. */
function tokenize(args: readonly string[], known: Record<string, FlagDefinition>) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  return parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens;
}

/** The value of a flag; empty for a switch. The next flag is not a value, except after `=`. */
function readValue(
  {
    name,
    value,
    inlineValue,
  }: { name: string; value?: string | undefined; inlineValue?: boolean | undefined },
  flag: FlagDefinition,
): string {
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`);
    return '';
  }
  if (value === undefined || (!inlineValue && value.startsWith('--')))
    throw new UsageError(`--${name} needs a value: --${name} ${flag.value}.`);
  return value;
}

function listFlags(known: Record<string, FlagDefinition>): string {
  return Object.keys(known)
    .map((name) => `--${name}`)
    .join(', ');
}

/** Formats an amount as `$2.50`. */
export function formatDollars(amount: Microusd | number): string {
  const usd = typeof amount === 'bigint' ? usdFromMicrousd(amount) : amount;
  return `$${usd.toFixed(6).replace(/0{1,4}$/, '')}`;
}

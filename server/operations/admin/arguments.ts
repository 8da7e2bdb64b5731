import type { WantedAccount } from '../../identity/accounts/find-account';
import { normalizeEmail } from '../../kit/email-address';
import { type Microusd, microusdFromUsd, usdFromMicrousd } from '../../kit/money';

const AMOUNT = /^\d{1,9}(\.\d{1,6})?$/;

/** What was typed cannot be understood; the message names the flag and the mend. */
export class UsageError extends Error {}

/** One flag of a command. Without `value` it is a switch. */
export interface FlagDefinition {
  /** What stands for the value in the help: `USD`, `ID`. */
  value?: string;
  about: string;
  required?: boolean;
  /** Whether it may be given more than once. */
  many?: boolean;
}

/** A word of a command that is no flag: the name of what it is about. Read like a flag of its name. */
export interface OperandDefinition {
  name: string;
  about: string;
  required?: boolean;
}

/** The flags of one run: what was given. */
export class Flags {
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(given: ReadonlyMap<string, readonly string[]>) {
    this.#given = given;
  }

  has(name: string): boolean {
    return this.#given.has(name);
  }

  /** A text that is not empty, or undefined where the flag was not given. */
  text(name: string): string | undefined {
    const value = this.#given.get(name)?.[0]?.trim();
    if (value === '') throw new UsageError(`--${name} is empty: give it a value, or leave it out.`);
    return value;
  }

  /** Every value that was given, in order; none of them empty. */
  all(name: string): string[] {
    const values = (this.#given.get(name) ?? []).map((value) => value.trim());
    if (values.includes('')) throw new UsageError(`--${name} is empty: give it a value, or leave it out.`);
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
      throw new UsageError(`--email ${text} is not one e-mail address: write it as name@example.com.`);
    }
  }

  /** Micro-dollars, exactly as written. */
  amount(name: string): Microusd | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : readAmount(name, text);
  }

  /** The account that is meant, by --account, --email or --team; one of them. */
  account(): WantedAccount {
    const wanted = { accountId: this.text('account'), email: this.email(), teamSlug: this.text('team') };
    const given = Object.values(wanted).filter((value) => value !== undefined);
    if (given.length > 1) throw new UsageError('Of --account, --email and --team use only one.');
    const { accountId, email, teamSlug } = wanted;
    if (accountId !== undefined) return { accountId };
    if (email !== undefined) return { email };
    if (teamSlug !== undefined) return { teamSlug };
    throw new UsageError(
      'Say which account: by --account (its id), --email (its owner) or --team (its slug).',
    );
  }
}

/**
 * Micro-dollars, exactly as written.
 * @throws UsageError
 */
export function readAmount(name: string, text: string): Microusd {
  const amount = AMOUNT.test(text) ? microusdFromUsd(Number(text)) : null;
  if (amount !== null) return amount;
  throw new UsageError(
    `--${name} ${text} is not an amount: write US dollars with at most six decimals, such as 2.50.`,
  );
}

/**
 * Reads `--flag value`, `--flag=value`, switches and the words that are no flags.
 * @throws UsageError for what is unknown, given twice, without its value, or missing
 */
export function parseFlags(
  args: readonly string[],
  known: Record<string, FlagDefinition>,
  operands: readonly OperandDefinition[] = [],
): Flags {
  const given = new Map<string, string[]>();
  const open = [...operands];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    const operand = word.startsWith('-') ? undefined : open.shift();
    if (operand) {
      given.set(operand.name, [word]);
      continue;
    }
    const [, name, glued] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
    if (name === undefined || flag === undefined)
      throw new UsageError(`${word} is not known here. It takes: ${listFlags(known)}.`);
    if (given.has(name) && !flag.many) throw new UsageError(`--${name} is given twice: give it once.`);
    if (flag.value === undefined) {
      if (glued !== undefined) throw new UsageError(`--${name} takes no value.`);
      given.set(name, ['']);
      continue;
    }
    const value = glued ?? args[++i];
    if (value === undefined || (glued === undefined && value.startsWith('--')))
      throw new UsageError(`--${name} needs a value: --${name} ${flag.value}.`);
    given.set(name, [...(given.get(name) ?? []), value]);
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

function listFlags(known: Record<string, FlagDefinition>): string {
  return Object.keys(known)
    .map((name) => `--${name}`)
    .join(', ');
}

/** `$2.50`, as the commands say amounts. */
export function dollars(amount: Microusd | number): string {
  const usd = typeof amount === 'bigint' ? usdFromMicrousd(amount) : amount;
  return `$${usd.toFixed(6).replace(/0{1,4}$/, '')}`;
}

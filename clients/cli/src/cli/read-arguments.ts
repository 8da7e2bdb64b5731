import { findClosest } from './closest.js';
import type { Arguments, Command, FieldArgument, Flag } from './command.js';
import { usageError } from './usage-error.js';

/** Flags of every command; they may also precede its name. */
export const GLOBAL_FLAGS: Readonly<Record<string, Flag>> = {
  'base-url': {
    value: 'URL',
    about: 'the gateway; defaults to TOOL_GATEWAY_URL, then the one saved by login',
  },
  json: { about: 'print JSON; the default if standard output is not a terminal' },
  get: {
    value: 'PATH',
    about: 'print one value of the response, such as output.result; text is printed verbatim',
  },
  quiet: { about: 'do not print notes and progress', short: 'q' },
  'no-retry': { about: 'do not retry after 429 and 503' },
  help: { about: 'show the help of the command', short: 'h' },
};

/** Flags that other CLIs use for a secret; other users of the machine could read them here. */
const SECRET_FLAGS = new Set(['api-key', 'key', 'token', 'apikey']);

export interface ParsedArguments {
  args: Arguments;
  fields: readonly FieldArgument[];
}

/**
 * Parses the command line into positional arguments, flags and, if the command takes them, fields.
 * @throws GatewayError USAGE that names the invalid flag
 */
export function readArguments(typed: readonly string[], command?: Command): ParsedArguments {
  const flags: Record<string, Flag> = { ...command?.flags, ...GLOBAL_FLAGS };
  const values = new Map<string, string[]>();
  const words: string[] = [];
  const fields: FieldArgument[] = [];
  const rest = [...typed];
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    if (token === '--') {
      words.push(...rest.splice(0));
      break;
    }
    const name = parseFlagName(token, flags);
    if (name === undefined) {
      words.push(token);
      continue;
    }
    const inline =
      token.startsWith('--') && token.includes('=') ? token.slice(token.indexOf('=') + 1) : undefined;
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) {
      if (!command?.takesFields) throw createUnknownFlagError(name, flags, command);
      fields.push({ name, value: inline ?? (isValue(rest[0]) ? rest.shift() : undefined) });
      continue;
    }
    values.set(name, [...(values.get(name) ?? []), readFlagValue(name, flag, inline, rest)]);
  }
  checkOnce(values, flags);
  return { args: createArguments(words, values), fields };
}

/** Returns the name in `--name`, `--name=…` or `-n`; undefined for a positional argument. */
function parseFlagName(token: string, flags: Record<string, Flag>): string | undefined {
  if (token.startsWith('--')) return token.slice(2).split('=', 1)[0];
  if (!/^-[a-z]$/i.test(token)) return undefined;
  const known = Object.entries(flags).find(([, { short }]) => short === token.slice(1));
  if (known) return known[0];
  throw usageError(
    `Unknown flag ${token}.`,
    'tool-gateway help lists the flags; put an argument that starts with - after --.',
  );
}

function readFlagValue(name: string, flag: Flag, inline: string | undefined, rest: string[]): string {
  if (flag.value === undefined) {
    if (inline === undefined) return '';
    throw usageError(`--${name} takes no value.`, `Use --${name} alone, or omit it.`);
  }
  const value = inline ?? (rest[0]?.startsWith('--') ? undefined : rest.shift());
  if (value !== undefined && value !== '') return value;
  throw usageError(`--${name} needs a value.`, `Use --${name} ${flag.value}.`);
}

/** Whether a token can be the value of a flag: `--name` cannot, a negative number can. */
function isValue(token: string | undefined): boolean {
  return token !== undefined && !token.startsWith('--');
}

function createUnknownFlagError(name: string, flags: Record<string, Flag>, command: Command | undefined) {
  if (SECRET_FLAGS.has(name))
    return usageError(
      `There is no --${name}: other users of this machine can read the command line.`,
      'Set TOOL_GATEWAY_KEY, or save the key with tool-gateway login.',
    );
  const near = findClosest(name, Object.keys(flags));
  const help = `tool-gateway help${command ? ` ${command.name}` : ''} lists the flags.`;
  return usageError(`Unknown flag --${name}.`, near ? `Did you mean --${near}? ${help}` : help);
}

function checkOnce(values: ReadonlyMap<string, string[]>, flags: Record<string, Flag>): void {
  for (const [name, given] of values)
    if (given.length > 1 && flags[name]?.value !== undefined && !flags[name]?.repeatable)
      throw usageError(`--${name} is given ${given.length} times.`, 'Use it once.');
}

function createArguments(words: readonly string[], values: ReadonlyMap<string, string[]>): Arguments {
  return {
    words,
    on: (name) => values.has(name),
    text: (name) => values.get(name)?.at(-1),
    texts: (name) => values.get(name) ?? [],
  };
}

import { closest } from './closest.js';
import type { Arguments, Command, FieldArgument, Flag } from './command.js';
import { usageError } from './usage-error.js';

/** Flags of every command; they may stand before its name too. */
export const GLOBAL_FLAGS: Readonly<Record<string, Flag>> = {
  'base-url': { value: 'URL', about: 'the gateway; else TOOL_GATEWAY_URL, else the one of login' },
  json: { about: 'answer in JSON; the default where standard output is no terminal' },
  get: { value: 'PATH', about: 'print one value of the answer, such as output.result, a text as it is' },
  quiet: { about: 'no notes and no progress', short: 'q' },
  'no-retry': { about: 'do not wait and try again after 429 and 503' },
  help: { about: 'say how the command is used', short: 'h' },
};

/** Flags that hold a secret elsewhere; here they would be seen by everybody on the machine. */
const SECRET_FLAGS = new Set(['api-key', 'key', 'token', 'apikey']);

export interface Read {
  args: Arguments;
  fields: readonly FieldArgument[];
}

/**
 * Reads what was typed: words, flags that are known, and, where the command takes them, fields.
 * @throws GatewayError USAGE that names the flag
 */
export function readArguments(typed: readonly string[], command?: Command): Read {
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
    const name = flagName(token, flags);
    if (name === undefined) {
      words.push(token);
      continue;
    }
    const inline =
      token.startsWith('--') && token.includes('=') ? token.slice(token.indexOf('=') + 1) : undefined;
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) {
      if (!command?.takesFields) throw unknownFlag(name, flags, command);
      fields.push({ name, value: inline ?? (isValue(rest[0]) ? rest.shift() : undefined) });
      continue;
    }
    values.set(name, [...(values.get(name) ?? []), flagValue(name, flag, inline, rest)]);
  }
  checkOnce(values, flags);
  return { args: argumentsOf(words, values), fields };
}

/** The name in `--name`, `--name=…` or `-n`; undefined for a word. */
function flagName(token: string, flags: Record<string, Flag>): string | undefined {
  if (token.startsWith('--')) return token.slice(2).split('=', 1)[0];
  if (!/^-[a-z]$/i.test(token)) return undefined;
  const known = Object.entries(flags).find(([, { short }]) => short === token.slice(1));
  if (known) return known[0];
  throw usageError(
    `There is no flag ${token}.`,
    'tool-gateway help lists them; a word that begins with - goes after --.',
  );
}

function flagValue(name: string, flag: Flag, inline: string | undefined, rest: string[]): string {
  if (flag.value === undefined) {
    if (inline === undefined) return '';
    throw usageError(`--${name} is a switch and takes no value.`, `Write --${name} alone, or leave it out.`);
  }
  const value = inline ?? (rest[0]?.startsWith('--') ? undefined : rest.shift());
  if (value !== undefined && value !== '') return value;
  throw usageError(`--${name} needs a value.`, `Write --${name} ${flag.value}.`);
}

/** What may follow `--name` as its value: another `--name` does not, a negative number does. */
function isValue(token: string | undefined): boolean {
  return token !== undefined && !token.startsWith('--');
}

function unknownFlag(name: string, flags: Record<string, Flag>, command: Command | undefined) {
  if (SECRET_FLAGS.has(name))
    return usageError(
      `There is no --${name}: what stands on a command line can be read by everybody on the machine.`,
      'Set TOOL_GATEWAY_KEY, or keep the key with tool-gateway login.',
    );
  const near = closest(name, Object.keys(flags));
  const help = `tool-gateway help${command ? ` ${command.name}` : ''} lists the flags.`;
  return usageError(`There is no flag --${name}.`, near ? `Did you mean --${near}? ${help}` : help);
}

function checkOnce(values: ReadonlyMap<string, string[]>, flags: Record<string, Flag>): void {
  for (const [name, given] of values)
    if (given.length > 1 && flags[name]?.value !== undefined && !flags[name]?.many)
      throw usageError(`--${name} is given ${given.length} times.`, 'Give it once.');
}

function argumentsOf(words: readonly string[], values: ReadonlyMap<string, string[]>): Arguments {
  return {
    words,
    on: (name) => values.has(name),
    text: (name) => values.get(name)?.at(-1),
    texts: (name) => values.get(name) ?? [],
  };
}

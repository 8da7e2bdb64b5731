import { GatewayError, ownError } from '../errors.js';
import { closest } from './closest.js';
import type { Command } from './command.js';
import { ALIASES, COMMANDS } from './commands/all.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { helpOf, overview } from './help.js';
import { Output } from './output.js';
import { GLOBAL_FLAGS, readArguments } from './read-arguments.js';
import { Session } from './session.js';
import type { Terminal } from './terminal.js';
import { Interrupted, usageError } from './usage-error.js';
import { VERSION } from './version.js';

/**
 * Runs what was typed.
 * @returns the exit code (`EXIT`); data went to standard output, everything else to standard error
 */
export async function runCli(terminal: Terminal): Promise<number> {
  // What cannot be read says so in the form that was wished for, as far as that can be told.
  let output = new Output(terminal, { json: terminal.args.includes('--json') });
  try {
    const { command, typed, help } = findCommand(terminal.args);
    if (help !== undefined) {
      terminal.stdout.write(`${help}\n`);
      return EXIT.ok;
    }
    const { args, fields } = readArguments(typed, command);
    if (args.on('help')) {
      terminal.stdout.write(`${helpOf(command)}\n`);
      return EXIT.ok;
    }
    checkWords(command, args.words);
    const session = new Session(terminal, {
      baseUrl: args.text('base-url'),
      json: args.on('json'),
      get: args.text('get'),
      quiet: args.on('quiet'),
      retry: !args.on('no-retry'),
    });
    output = session.output;
    return (await command.run(session, args, fields)) ?? EXIT.ok;
  } catch (error) {
    if (error instanceof Interrupted || terminal.signal.aborted) return EXIT.interrupted;
    const said = error instanceof GatewayError ? error : unexpected(error);
    output.error(said);
    return exitCodeOf(said);
  }
}

type Found =
  | { command: Command; typed: string[]; help?: undefined }
  | { command?: undefined; typed?: undefined; help: string };

/** The command that was typed, and the rest; flags of every command may stand before it. */
function findCommand(args: readonly string[]): Found {
  const { before, words, rest } = split(args);
  const [first = '', second = ''] = words;
  if (first === 'help' || (first === '' && before.some((flag) => flag === '--help' || flag === '-h')))
    return { help: helpFor(words.slice(1)) };
  if (first === 'version' || (first === '' && before.includes('--version'))) return { help: VERSION };
  if (first === '') {
    // Flags alone: a wrong one is named.
    readArguments(before);
    throw usageError('There is no command.', 'tool-gateway help lists them.');
  }
  const two = COMMANDS.find(({ name }) => name === `${first} ${second}`);
  if (two) return { command: two, typed: [...before, ...rest.slice(2)] };
  const one = COMMANDS.find(({ name }) => name === (ALIASES[first] ?? first));
  if (one && !(Object.hasOwn(ALIASES, first) && second !== '' && first === 'keys'))
    return { command: one, typed: [...before, ...rest.slice(1)] };
  throw unknownCommand(first, second);
}

/** Flags before the command, its words, and everything from it on. */
function split(args: readonly string[]): { before: string[]; words: string[]; rest: string[] } {
  let at = 0;
  while (at < args.length && args[at]?.startsWith('-')) {
    const name = args[at]?.replace(/^--/, '') ?? '';
    at += GLOBAL_FLAGS[name]?.value === undefined ? 1 : 2;
  }
  const rest = args.slice(at);
  const end = rest.findIndex((token) => token.startsWith('-'));
  return { before: args.slice(0, at), words: end < 0 ? rest : rest.slice(0, end), rest };
}

function helpFor([first, second]: readonly string[]): string {
  if (first === undefined) return overview();
  const wanted = [`${first} ${second ?? ''}`.trim(), first, ALIASES[first]];
  const command = COMMANDS.find(({ name }) => wanted.includes(name));
  if (command) return helpOf(command);
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0) return group.map(helpOf).join('\n\n');
  throw unknownCommand(first, second ?? '');
}

function unknownCommand(first: string, second: string): GatewayError {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (group.length > 0)
    return usageError(
      second === '' ? `"${first}" needs one more word.` : `There is no command "${first} ${second}".`,
      `There are: ${group.join(', ')}.`,
    );
  const names = [
    ...COMMANDS.map(({ name }) => name.split(' ', 1)[0] ?? name),
    'help',
    'version',
    ...Object.keys(ALIASES),
  ];
  const near = closest(first, names);
  const help = 'tool-gateway help lists the commands.';
  return usageError(`There is no command "${first}".`, near ? `Did you mean ${near}? ${help}` : help);
}

function checkWords({ name, usage, words: [least, most] }: Command, words: readonly string[]): void {
  if (words.length >= least && words.length <= most) return;
  const extra = words[most];
  throw usageError(
    extra === undefined ? `"${name}" needs more words.` : `"${name}" does not take "${extra}".`,
    `Usage: tool-gateway ${`${name} ${usage}`.trim()}`,
  );
}

function unexpected(error: unknown): GatewayError {
  const message = error instanceof Error ? error.message : String(error);
  return ownError(
    {
      code: 'UNEXPECTED',
      message,
      type: 'server',
      hint: 'Try again; if it stays, report it with what you typed.',
    },
    { cause: error },
  );
}

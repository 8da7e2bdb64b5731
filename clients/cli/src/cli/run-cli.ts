import { createError, GatewayError } from '../errors.js';
import { findClosest } from './closest.js';
import type { Command } from './command.js';
import { ALIASES, COMMANDS } from './commands/all.js';
import { COMPLETE } from './commands/completion.js';
import { listCompletions } from './complete.js';
import { EXIT, getExitCode } from './exit-codes.js';
import { formatHelp, formatOverview } from './help.js';
import { Output } from './output.js';
import { GLOBAL_FLAGS, readArguments } from './read-arguments.js';
import { Session } from './session.js';
import type { Terminal } from './terminal.js';
import { Interrupted, usageError } from './usage-error.js';
import { VERSION } from './version.js';

/**
 * Runs one command line. Data goes to standard output, everything else to standard error.
 * @returns the exit code (`EXIT`)
 */
export async function runCli(terminal: Terminal): Promise<number> {
  // Arguments that cannot be parsed are still reported as JSON when --json was given.
  let output = new Output(terminal, { json: terminal.args.includes('--json') });
  try {
    if (terminal.args[0] === COMPLETE) return await printCompletions(terminal);
    const { command, typed, help } = findCommand(terminal.args);
    if (help !== undefined) {
      terminal.stdout.write(`${help}\n`);
      return EXIT.ok;
    }
    const { args, fields } = readArguments(typed, command);
    if (args.on('help')) {
      terminal.stdout.write(`${formatHelp(command)}\n`);
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
    const said = error instanceof GatewayError ? error : toUnexpectedError(error);
    output.error(said);
    return getExitCode(said);
  }
}

/** For the scripts of `completion`: one word a line, and nothing on standard error. */
async function printCompletions(terminal: Terminal): Promise<number> {
  const session = new Session(terminal, {
    baseUrl: undefined,
    json: false,
    get: undefined,
    quiet: true,
    retry: false,
  });
  const found = await listCompletions(session, terminal.args.slice(1));
  if (found.length > 0) terminal.stdout.write(`${found.join('\n')}\n`);
  return EXIT.ok;
}

type Found =
  | { command: Command; typed: string[]; help?: undefined }
  | { command?: undefined; typed?: undefined; help: string };

/** Finds the command and the arguments that follow; global flags may precede it. */
function findCommand(args: readonly string[]): Found {
  const { before, words, rest } = splitArguments(args);
  const [first = '', second = ''] = words;
  if (first === 'help' || (first === '' && before.some((flag) => flag === '--help' || flag === '-h')))
    return { help: findHelp(words.slice(1)) };
  if (first === 'version' || (first === '' && before.includes('--version'))) return { help: VERSION };
  if (first === '') {
    // With flags only, report an invalid flag first.
    readArguments(before);
    throw usageError('No command was given.', 'tool-gateway help lists the commands.');
  }
  const two = COMMANDS.find(({ name }) => name === `${first} ${second}`);
  if (two) return { command: two, typed: [...before, ...rest.slice(2)] };
  const one = COMMANDS.find(({ name }) => name === (ALIASES[first] ?? first));
  // `jobs` lists jobs, so a word after it is a mistyped subcommand.
  const isGroup = ALIASES[first]?.startsWith(`${first} `) === true;
  if (one && !(isGroup && second !== '')) return { command: one, typed: [...before, ...rest.slice(1)] };
  throw createUnknownCommandError(first, second);
}

/** Splits the arguments: flags before the command, the words up to the next flag, and all after. */
function splitArguments(args: readonly string[]): { before: string[]; words: string[]; rest: string[] } {
  let at = 0;
  while (at < args.length && args[at]?.startsWith('-')) {
    const name = args[at]?.replace(/^--/, '') ?? '';
    at += GLOBAL_FLAGS[name]?.value === undefined ? 1 : 2;
  }
  const rest = args.slice(at);
  const end = rest.findIndex((token) => token.startsWith('-'));
  return { before: args.slice(0, at), words: end < 0 ? rest : rest.slice(0, end), rest };
}

function findHelp([first, second]: readonly string[]): string {
  if (first === undefined) return formatOverview();
  const wanted = [`${first} ${second ?? ''}`.trim(), first, ALIASES[first]];
  const command = COMMANDS.find(({ name }) => wanted.includes(name));
  if (command) return formatHelp(command);
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0) return group.map(formatHelp).join('\n\n');
  throw createUnknownCommandError(first, second ?? '');
}

function createUnknownCommandError(first: string, second: string): GatewayError {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (group.length > 0) {
    const close = second === '' ? undefined : findClosest(`${first} ${second}`, group);
    return usageError(
      second === '' ? `"${first}" needs a subcommand.` : `Unknown command "${first} ${second}".`,
      `${close === undefined ? '' : `Did you mean ${close}? `}Available: ${group.join(', ')}.`,
    );
  }
  const names = [
    ...COMMANDS.map(({ name }) => name.split(' ', 1)[0] ?? name),
    'help',
    'version',
    ...Object.keys(ALIASES),
  ];
  const near = findClosest(first, names);
  const help = 'tool-gateway help lists the commands.';
  return usageError(`Unknown command "${first}".`, near ? `Did you mean ${near}? ${help}` : help);
}

function checkWords({ name, usage, words: [least, most] }: Command, words: readonly string[]): void {
  if (words.length >= least && words.length <= most) return;
  const extra = words[most];
  throw usageError(
    extra === undefined ? `"${name}" needs more arguments.` : `Unexpected argument "${extra}" for "${name}".`,
    `Usage: tool-gateway ${`${name} ${usage}`.trim()}`,
  );
}

function toUnexpectedError(error: unknown): GatewayError {
  const message = error instanceof Error ? error.message : String(error);
  return createError(
    {
      code: 'UNEXPECTED',
      message,
      type: 'server',
      hint: 'Try again. If it persists, report it with the command that you ran.',
    },
    { cause: error },
  );
}

import type { Command, Flag } from './command.js';
import { COMMANDS } from './commands/all.js';
import { EXIT_MEANINGS } from './exit-codes.js';
import { formatColumns } from './output.js';
import { GLOBAL_FLAGS } from './read-arguments.js';
import { VERSION } from './version.js';

/** The text of `tool-gateway help`. */
export function formatOverview(): string {
  return `tool-gateway ${VERSION}: find tools, call them and pay per use.

Usage: tool-gateway <command> [flags]

${formatColumns(COMMANDS.map((command) => [`  ${command.name}`, command.about]))}
${formatColumns([
  ['  help [command]', 'Show the help of a command'],
  ['  version', 'Print the version'],
])}

Global flags:
${formatFlags(GLOBAL_FLAGS)}

Exit codes:
${formatColumns(EXIT_MEANINGS.map(([code, meaning]) => [`  ${code}`, meaning]))}

First call: tool-gateway call math evaluate --expression "6 * 7" --base-url https://gateway.example.com
The key comes from TOOL_GATEWAY_KEY or the key file (login, provision), never from a flag.`;
}

/** The text of `tool-gateway help <command>`. */
export function formatHelp({ name, usage, about, details, flags = {} }: Command): string {
  return [
    `${about}.`,
    '',
    `Usage: tool-gateway ${`${name} ${usage}`.trim()}${Object.keys(flags).length > 0 ? ' [flags]' : ''}`,
    ...(details ? ['', details] : []),
    ...(Object.keys(flags).length > 0 ? ['', 'Flags:', formatFlags(flags)] : []),
    '',
    'Global flags:',
    formatFlags(GLOBAL_FLAGS),
  ].join('\n');
}

function formatFlags(flags: Readonly<Record<string, Flag>>): string {
  return formatColumns(
    Object.entries(flags).map(([name, { value, about, short }]) => [
      `  ${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      about,
    ]),
  );
}

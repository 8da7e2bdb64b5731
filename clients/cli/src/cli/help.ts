import type { Command, Flag } from './command.js';
import { COMMANDS } from './commands/all.js';
import { EXIT_MEANINGS } from './exit-codes.js';
import { columns } from './output.js';
import { GLOBAL_FLAGS } from './read-arguments.js';
import { VERSION } from './version.js';

/** What all of it is. */
export function overview(): string {
  return `tool-gateway ${VERSION}: find tools, call them and pay per use.

Usage: tool-gateway <command> [flags]

${columns(COMMANDS.map((command) => [`  ${command.name}`, command.about]))}
${columns([
  ['  help [command]', 'Say how a command is used'],
  ['  version', 'Print the version'],
])}

Flags of every command:
${flagLines(GLOBAL_FLAGS)}

Ends with:
${columns(EXIT_MEANINGS.map(([code, meaning]) => [`  ${code}`, meaning]))}

First call: tool-gateway call math evaluate --expression "6 * 7" --base-url https://gateway.example.com
The key comes from TOOL_GATEWAY_KEY, else from the key file (login, provision); never from a flag.`;
}

/** How one command is used. */
export function helpOf({ name, usage, about, details, flags = {} }: Command): string {
  return [
    `${about}.`,
    '',
    `Usage: tool-gateway ${`${name} ${usage}`.trim()}${Object.keys(flags).length > 0 ? ' [flags]' : ''}`,
    ...(details ? ['', details] : []),
    ...(Object.keys(flags).length > 0 ? ['', 'Flags:', flagLines(flags)] : []),
    '',
    'Flags of every command:',
    flagLines(GLOBAL_FLAGS),
  ].join('\n');
}

function flagLines(flags: Readonly<Record<string, Flag>>): string {
  return columns(
    Object.entries(flags).map(([name, { value, about, short }]) => [
      `  ${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      about,
    ]),
  );
}

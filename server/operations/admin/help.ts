import { getAdminCommand } from '../../kit/admin-command';
import type { Command } from './command';

const introduce = () => `The admin CLI of the Tool Gateway.

  ${getAdminCommand()} COMMAND [--flag value …] [--json]

It uses the same settings and data as the gateway, which may be running or not. Every change is written to the
audit log under the user who runs it. With --json the last line of standard output is one JSON object.
Exit codes: 0 done, 1 failed (or reconcile found a difference), 2 invalid arguments.`;

/** The help of all commands. */
export function helpForAll(commands: readonly Command[]): string {
  return [introduce(), '', ...commands.flatMap((command) => [...helpLines(command), ''])].join('\n');
}

/** The help of one command. */
export function helpFor(command: Command): string {
  return helpLines(command).join('\n');
}

function helpLines({ name, about, flags, operands = [] }: Command): string[] {
  const words = operands.map((operand) =>
    operand.required ? operand.name.toUpperCase() : `[${operand.name.toUpperCase()}]`,
  );
  const lines = Object.entries(flags).map(([flag, { value, about: what, required }]) => {
    const usage = `--${flag}${value ? ` ${value}` : ''}`;
    return `      ${usage.padEnd(20)} ${what}${required ? ' (required)' : ''}`;
  });
  return [`  ${[name, ...words].join(' ')}`, `      ${about}`, ...lines];
}

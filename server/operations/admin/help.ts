import type { Command } from './command';

const INTRODUCTION = `The operator's command of the Tool Gateway.

  npm run admin -- COMMAND [--flag value …] [--json]

It works beside a running gateway and without one, on the same settings and the same data. Every act is written to the
audit log under the user who runs it. With --json the last line of standard output is one JSON object.
Exit codes: 0 done, 1 not done (or reconcile found a difference), 2 not understood.`;

/** The help for all commands. */
export function helpForAll(commands: readonly Command[]): string {
  return [INTRODUCTION, '', ...commands.flatMap((command) => [...helpLines(command), ''])].join('\n');
}

/** The help for one. */
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

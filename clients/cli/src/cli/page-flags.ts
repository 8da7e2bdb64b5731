import type { Arguments } from './command.js';
import { readIntegerFlag } from './parse-numbers.js';

const MAX_LIMIT = 500;

/** The query of a list with pages, from --limit and --cursor. @throws GatewayError USAGE */
export function readPageFlags(args: Arguments): { limit?: number; cursor?: string } {
  return omitUndefined({
    limit: readIntegerFlag(args, 'limit', 1, MAX_LIMIT),
    cursor: args.text('cursor'),
  });
}

/** Drops the fields that are not set. */
export function omitUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}

import { readFile, stat } from 'node:fs/promises';
import { findInexactNumber } from './exact-number.js';
import type { Session } from './session.js';
import { usageError } from './usage-error.js';

/** Larger than any JSON body that a gateway accepts. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;

const MAX_SHOWN_DIGITS = 60;

/**
 * Reads JSON from an argument: the JSON text itself, `@file`, or `-` for standard input.
 * @param where the source to name in errors: `--input`
 * @throws GatewayError USAGE with the position of a syntax error, or the number that would change
 */
export async function readJson(session: Session, given: string, where: string): Promise<unknown> {
  const source = given === '-' ? 'Standard input' : given.startsWith('@') ? given.slice(1) : where;
  const text = await readText(session, given, where);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(
      `${source} is not JSON: ${describeSyntaxError(text, error)}.`,
      'Correct the JSON and try again.',
    );
  }
  const inexact = findInexactNumber(text);
  if (inexact === undefined) return value;
  throw usageError(
    `${source}: ${inexact.slice(0, MAX_SHOWN_DIGITS)} would change as a JSON number.`,
    'Write it as text, in quotes, or with fewer digits.',
  );
}

async function readText(session: Session, given: string, where: string): Promise<string> {
  if (given === '-') return await readAll(session, where);
  if (!given.startsWith('@')) return given;
  const path = given.slice(1);
  try {
    if ((await stat(path)).size > MAX_JSON_BYTES) throw createTooLargeError(path);
    return await readFile(path, 'utf8');
  } catch (error) {
    throw toReadError(path, error);
  }
}

/**
 * Reads all of standard input.
 * @throws GatewayError USAGE when it is a terminal, where the command would seem to hang
 */
export async function readAll(
  { terminal }: Session,
  where: string,
  maxBytes = MAX_JSON_BYTES,
): Promise<string> {
  if (terminal.stdin.isTTY)
    throw usageError(
      `${where} reads from standard input, which is a terminal.`,
      'Pipe the data into the command.',
    );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of terminal.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > maxBytes) throw createTooLargeError('Standard input');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Converts a missing, unreadable or folder path error to a USAGE error; returns others as is. */
export function toReadError(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why = {
    ENOENT: 'File not found:',
    EISDIR: 'Expected a file, not a folder:',
    EACCES: 'No permission to read',
  };
  if (typeof code !== 'string' || !Object.hasOwn(why, code)) return error;
  return usageError(`${why[code as keyof typeof why]} ${path}.`, 'Check the path.');
}

function createTooLargeError(what: string) {
  return usageError(
    `${what} is larger than 8 MiB.`,
    'Upload large data with tool-gateway upload and pass its asset_id.',
  );
}

/** Describes a syntax error with line and column; Node reports the offset only sometimes. */
function describeSyntaxError(text: string, error: unknown): string {
  if (text.trim() === '') return 'it is empty';
  const before = text.slice(0, findErrorOffset(text)).split('\n');
  const said = error instanceof Error ? error.message : String(error);
  const what = said
    .replace(/,? ?"?(\.\.\.)?".*" ?is not valid JSON$/s, '')
    .replace(/ (in JSON )?at position \d+.*$/s, '');
  return `${what} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Length of the longest prefix that could still become JSON, by binary search. */
function findErrorOffset(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isJsonPrefix(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isJsonPrefix(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    const position = /at position (\d+)/.exec(said)?.[1];
    return /Unexpected end|Unterminated/.test(said) || Number(position) >= text.length;
  }
}

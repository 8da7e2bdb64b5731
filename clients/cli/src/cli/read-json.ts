import { readFile, stat } from 'node:fs/promises';
import type { Session } from './session.js';
import { usageError } from './usage-error.js';

/** More than any gateway takes as a JSON body. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;

/**
 * JSON as it was given: the text itself, `@file`, or `-` for standard input.
 * @param where what to name in errors: `--input`
 * @throws GatewayError USAGE that names the place in the text
 */
export async function readJson(session: Session, given: string, where: string): Promise<unknown> {
  const source = given === '-' ? 'Standard input' : given.startsWith('@') ? given.slice(1) : where;
  const text = await readText(session, given, where);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`${source} is not JSON: ${placeOf(text, error)}.`, 'Correct it there and try again.');
  }
}

async function readText(session: Session, given: string, where: string): Promise<string> {
  if (given === '-') return await readAll(session, where);
  if (!given.startsWith('@')) return given;
  const path = given.slice(1);
  try {
    if ((await stat(path)).size > MAX_JSON_BYTES) throw tooLarge(path);
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** All of standard input. @throws GatewayError USAGE where it is a terminal: nobody would know that it waits */
export async function readAll(
  { terminal }: Session,
  where: string,
  maxBytes = MAX_JSON_BYTES,
): Promise<string> {
  if (terminal.stdin.isTTY)
    throw usageError(
      `${where} reads standard input, which is a terminal.`,
      'Pipe something into the command.',
    );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of terminal.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > maxBytes) throw tooLarge('Standard input');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Why a file of the person's cannot be read, as an error of usage; others pass. */
export function unreadable(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why = { ENOENT: 'There is no file', EISDIR: 'This is a folder, not a file:', EACCES: 'May not read' };
  if (typeof code !== 'string' || !Object.hasOwn(why, code)) return error;
  return usageError(`${why[code as keyof typeof why]} ${path}.`, 'Check the path.');
}

function tooLarge(what: string) {
  return usageError(
    `${what} is larger than 8 MiB.`,
    'Upload large data with tool-gateway upload and pass its asset_id.',
  );
}

/** What is wrong, with line and column: Node says the offset only sometimes. */
function placeOf(text: string, error: unknown): string {
  if (text.trim() === '') return 'it is empty';
  const before = text.slice(0, offsetOf(text)).split('\n');
  const said = error instanceof Error ? error.message : String(error);
  const what = said
    .replace(/,? ?"?(\.\.\.)?".*" ?is not valid JSON$/s, '')
    .replace(/ (in JSON )?at position \d+.*$/s, '');
  return `${what} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** How much of the text could still become JSON: found by halving, because each beginning of a good text is good. */
function offsetOf(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    const position = /at position (\d+)/.exec(said)?.[1];
    return /Unexpected end|Unterminated/.test(said) || Number(position) >= text.length;
  }
}

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot } from '../../kit/from-root';

export const FUNCTIONS = fromRoot('db/functions');

/** A file of db/functions: one function, and its triggers. */
export interface FunctionSource {
  name: string;
  text: string;
  hash: string;
}

/** Reads the files of a folder of SQL functions. */
export async function readFunctions(folder: string): Promise<FunctionSource[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return await Promise.all(files.map((file) => readFunction(file.slice(0, -'.sql'.length), folder)));
}

/** Reads one SQL function, by default of db/functions. */
export async function readFunction(name: string, folder = FUNCTIONS): Promise<FunctionSource> {
  const text = await readFile(join(folder, `${name}.sql`), 'utf8');
  return { name, text, hash: createHash('sha256').update(text).digest('hex') };
}

/** Sorts each after those it calls: PostgreSQL checks SQL bodies when a function is created. */
export function sortByCalls(sources: readonly FunctionSource[]): FunctionSource[] {
  const sorted = new Set<FunctionSource>();
  const seen = new Set<FunctionSource>();
  const add = (source: FunctionSource) => {
    if (seen.has(source)) return;
    seen.add(source);
    for (const other of sources) if (source.text.includes(`${other.name}(`)) add(other);
    sorted.add(source);
  };
  for (const source of sources) add(source);
  return [...sorted];
}

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unwrapData } from '../responses.js';
import { ALIASES, COMMANDS } from './commands/all.js';
import { GLOBAL_FLAGS } from './read-arguments.js';
import type { Session } from './session.js';

/** Commands with the name of a tool, and of a skill, as their first words. */
const TOOL_COMMANDS = new Set(['call', 'info', 'review']);
const SKILL_COMMANDS = new Set(['call', 'info']);
const MAX_TOOLS = 500;
const CACHE_MS = 5 * 60_000;
/** A shell waits for the answer, so a slow gateway completes nothing. */
const FETCH_MS = 1_500;

/** The skills of each tool. */
type Names = Record<string, string[]>;

/**
 * Lists what may follow on a command line: commands, flags, and names of tools and skills.
 * @param words after the program name; the last one is being typed and may be empty
 */
export async function listCompletions(session: Session, words: readonly string[]): Promise<string[]> {
  const typed = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const found = await listCandidates(session, typed, current);
  return [...new Set(found)].filter((word) => word.startsWith(current)).sort();
}

async function listCandidates(
  session: Session,
  typed: readonly string[],
  current: string,
): Promise<string[]> {
  const [first = '', second = ''] = typed;
  const command =
    COMMANDS.find(({ name }) => name === `${first} ${second}`) ??
    COMMANDS.find(({ name }) => name === (ALIASES[first] ?? first));
  if (current.startsWith('-'))
    return Object.keys({ ...command?.flags, ...GLOBAL_FLAGS }).map((name) => `--${name}`);
  const names = COMMANDS.map(({ name }) => name);
  if (typed.length === 0)
    return [
      ...names.map((name) => name.split(' ', 1)[0] ?? name),
      ...Object.keys(ALIASES),
      'help',
      'version',
    ];
  if (typed.length === 1 && first === 'help') return names.map((name) => name.split(' ', 1)[0] ?? name);
  const group = names.filter((name) => name.startsWith(`${first} `));
  if (typed.length === 1 && group.length > 0) return group.map((name) => name.slice(first.length + 1));
  if (typed.length === 1 && TOOL_COMMANDS.has(first)) return Object.keys(await readNames(session));
  if (typed.length === 2 && SKILL_COMMANDS.has(first)) return (await readNames(session))[second] ?? [];
  return [];
}

/** The names from the cache, or else from the gateway; none if it does not answer. */
async function readNames(session: Session): Promise<Names> {
  try {
    const baseUrl = await session.baseUrl();
    const { env, home } = session.terminal;
    const folder = join(
      env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(home, '.cache'),
      'tool-gateway',
    );
    const file = join(folder, `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 16)}.json`);
    const cached = await readCache(file);
    if (cached) return cached;
    const names = await fetchNames(session, baseUrl);
    await mkdir(folder, { recursive: true });
    await writeFile(file, JSON.stringify({ at: Date.now(), names }));
    return names;
  } catch {
    return {};
  }
}

async function readCache(file: string): Promise<Names | null> {
  try {
    const { at, names } = JSON.parse(await readFile(file, 'utf8')) as { at: number; names: Names };
    return Date.now() - at < CACHE_MS ? names : null;
  } catch {
    return null;
  }
}

/** Without a key: the catalogue is public. */
async function fetchNames(session: Session, baseUrl: string): Promise<Names> {
  const { api } = session.createClientFor(baseUrl);
  const params = { query: { limit: MAX_TOOLS } };
  const { tools } = unwrapData(await api.GET('/v1/tools', { params, signal: AbortSignal.timeout(FETCH_MS) }));
  return Object.fromEntries(tools.map(({ name, skills }) => [name, skills.map((skill) => skill.name)]));
}

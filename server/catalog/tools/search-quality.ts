import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const GOLD_FILE = 'server/catalog/tools/gold-set.json';

/**
 * A request in a user's words, and the skills that answer it. Written without reading the
 * descriptions.
 */
export interface GoldRequest {
  readonly query: string;
  /** `tool.skill`, any of which is right; empty if no tool does it. */
  readonly expected: readonly string[];
  /** Held out: the ranking and the words of the tools must not be tuned on it. */
  readonly heldOut: boolean;
}

const goldRow = z.tuple([z.string()], z.string());
const goldFile = z.object({ tuned: z.array(goldRow), held_out: z.array(goldRow) });

/** Reads the gold set. @param root folder of the project */
export function readGoldSet(root = process.cwd()): GoldRequest[] {
  const text = readFileSync(join(root, GOLD_FILE), 'utf8');
  // Cannot throw: a file of the repository
  const { tuned, held_out } = goldFile.parse(JSON.parse(text));
  const toRequest =
    (heldOut: boolean) =>
    ([query, ...expected]: z.infer<typeof goldRow>): GoldRequest => ({ query, expected, heldOut });
  return [...tuned.map(toRequest(false)), ...held_out.map(toRequest(true))];
}

/** What a search returns: the tools, best first, each with its matching skills, best first. */
export type RankedSearch = (query: string) => readonly { tool: string; skills: readonly string[] }[];

/** Shares from 0 to 1. */
export interface SearchQuality {
  /** Requests that a tool answers, and those that none does. */
  readonly requests: number;
  readonly unanswerable: number;
  /** Shares of answerable requests with an expected tool first, or among the first three. */
  readonly recallAt1: number;
  readonly recallAt3: number;
  /** Mean of 1 / rank of the expected tool (0 if it is not found). */
  readonly mrr: number;
  /** Share of answerable requests for which the first tool's best skill is an expected one. */
  readonly skillAt1: number;
  /** Share of unanswerable requests for which a tool is returned. */
  readonly falseHits: number;
  /** Requests with another result than expected, with the tools found. */
  readonly missed: readonly string[];
}

/** Measures the quality of a search on the gold set. */
export function measureSearch(search: RankedSearch, gold: readonly GoldRequest[]): SearchQuality {
  const ranked = gold.map(({ query, expected }) => {
    const found = search(query);
    const names = new Set(expected.map((name) => name.split('.')[0]));
    const rank = found.findIndex(({ tool }) => names.has(tool)) + 1;
    const [first] = found;
    const skill = first !== undefined && expected.includes(`${first.tool}.${first.skills[0]}`);
    return { query, found, rank, skill, answerable: expected.length > 0 };
  });
  const answerable = ranked.filter((entry) => entry.answerable);
  const others = ranked.filter((entry) => !entry.answerable);
  const share = (fits: (entry: (typeof ranked)[number]) => boolean) =>
    answerable.filter(fits).length / answerable.length;
  return {
    requests: answerable.length,
    unanswerable: others.length,
    recallAt1: share(({ rank }) => rank === 1),
    recallAt3: share(({ rank }) => rank >= 1 && rank <= 3),
    mrr: answerable.reduce((sum, { rank }) => sum + (rank > 0 ? 1 / rank : 0), 0) / answerable.length,
    skillAt1: share(({ skill }) => skill),
    falseHits: others.filter(({ found }) => found.length > 0).length / others.length,
    missed: ranked
      .filter(({ rank, found, answerable: hasAnswer }) => (hasAnswer ? rank !== 1 : found.length > 0))
      .map(({ query, found }) => `${query}: ${found.slice(0, 3).map(({ tool }) => tool)}`),
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SearchIndex } from './search-index';

const GOLD_FILE = 'server/catalog/tools/gold-set.json';
/** Every third request is held out: the ranking must not be tuned on it. */
const HELD_OUT_EVERY = 3;

/**
 * A request in a user's words, and the skill that answers it. Written without reading the
 * descriptions.
 */
export interface GoldRequest {
  readonly query: string;
  readonly tool: string;
  readonly skill: string;
  readonly heldOut: boolean;
}

/** Reads the gold set. @param root folder of the project */
export function readGoldSet(root = process.cwd()): GoldRequest[] {
  const rows = z.array(z.tuple([z.string(), z.string(), z.string()]));
  const text = readFileSync(join(root, GOLD_FILE), 'utf8');
  // Cannot throw: a file of the repository
  return rows.parse(JSON.parse(text)).map(([query, tool, skill], at) => ({
    query,
    tool,
    skill,
    heldOut: at % HELD_OUT_EVERY === HELD_OUT_EVERY - 1,
  }));
}

/** Shares from 0 to 1. */
export interface SearchQuality {
  readonly requests: number;
  /** Shares of requests for which the expected tool is first, or among the first three. */
  readonly recallAt1: number;
  readonly recallAt3: number;
  /** Mean of 1 / rank of the expected tool (0 if it is not found). */
  readonly mrr: number;
  /** Share of requests for which the first tool and its best skill are the expected ones. */
  readonly skillAt1: number;
  /** Requests for which the expected tool is not first, with the tools found. */
  readonly missed: readonly string[];
}

/** Measures the quality of a search on the gold set. */
export function measureSearch(index: SearchIndex, gold: readonly GoldRequest[]): SearchQuality {
  const ranked = gold.map((request) => {
    const found = index.search(request.query);
    const rank = found.findIndex(({ tool }) => tool === request.tool) + 1;
    return { request, found, rank, skill: found[0]?.skill === request.skill };
  });
  const share = (fits: (entry: (typeof ranked)[number]) => boolean) =>
    ranked.filter(fits).length / ranked.length;
  return {
    requests: gold.length,
    recallAt1: share(({ rank }) => rank === 1),
    recallAt3: share(({ rank }) => rank >= 1 && rank <= 3),
    mrr: ranked.reduce((sum, { rank }) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranked.length,
    skillAt1: share(({ rank, skill }) => rank === 1 && skill),
    missed: ranked
      .filter(({ rank }) => rank !== 1)
      .map(({ request, found }) => `${request.query}: ${found.slice(0, 3).map(({ tool }) => tool)}`),
  };
}

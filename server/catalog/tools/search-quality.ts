import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SearchIndex } from './search-index';

const GOLD_FILE = 'server/catalog/tools/gold-set.json';
/** Every third request is held out: nobody looks at it while the ranking is changed. */
const HELD_OUT_EVERY = 3;

/**
 * What somebody wants, in their own words, and where it is done. Written before the descriptions
 * were read.
 */
export interface GoldRequest {
  readonly query: string;
  readonly tool: string;
  readonly skill: string;
  readonly heldOut: boolean;
}

/** The requests of the repository. @param root folder of the project */
export function readGoldSet(root = process.cwd()): GoldRequest[] {
  const rows = z.array(z.tuple([z.string(), z.string(), z.string()]));
  const text = readFileSync(join(root, GOLD_FILE), 'utf8');
  // raises nothing: a file of the repository
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
  /** The wanted tool is the first one found, or among the first three. */
  readonly recallAt1: number;
  readonly recallAt3: number;
  /** Mean of 1 / rank of the wanted tool (0 where it is not found). */
  readonly mrr: number;
  /** The wanted tool is the first, and its best skill the wanted one. */
  readonly skillAt1: number;
  /** Requests whose tool is not the first, with what was found. */
  readonly missed: readonly string[];
}

/** How well a search answers requests. */
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

import type { Scores } from './search-score';

/** Tools below this score are noise: they share a word with a request that they do not answer. */
const MIN_SCORE = 0.4;
/** Tools below a share of the best score are left out, as are skills of a tool. */
const MIN_SHARE_OF_BEST = 0.5;
const MIN_SHARE_OF_SKILL = 0.7;
/** Share of its other skills' scores in a tool's score. */
const OTHER_SKILLS_SHARE = 0.05;
/** Above the score of any other tool for the same words. */
const EXACT_NAME_SCORE = 1.5;
/** Tools that are returned as the nearest if none is good enough. */
const MAX_NEAREST = 3;
const MIN_NEAREST_SCORE = 0.2;
const MIN_SHARE_OF_NEAREST = 0.7;

/** A matching tool, and its matching skills, best first. */
export interface Found {
  readonly tool: string;
  /** From 0 to 1: how much of the query the tool matches. Comparable between queries. */
  readonly score: number;
  readonly skills: readonly string[];
}

export interface SearchResult {
  /** Best first, equal ones by name; empty if none matches well enough. */
  readonly found: readonly Found[];
  /** The tools that match a part of the query, if none matches well enough. */
  readonly nearest: readonly string[];
}

/** The skill of a document, and its tool. */
export interface Place {
  readonly tool: string;
  readonly skill: string;
  /** The index of its tool. */
  readonly group: number;
  /** The normalized words of the tool's name, for comparison with a query. */
  readonly named: string;
}

interface Match {
  readonly place: Place;
  readonly score: number;
}

/** @param asked the normalized query: a tool with exactly this name ranks first */
export function rankTools(places: readonly Place[], { found, score }: Scores, asked: string): SearchResult {
  const byTool = new Map<number, Match[]>();
  for (const document of found) {
    const place = places[document] as Place;
    const skills = byTool.get(place.group) ?? [];
    if (skills.length === 0) byTool.set(place.group, skills);
    skills.push({ place, score: score[document] as number });
  }
  const ranked = [...byTool.values()].map((skills) => rankSkills(skills, asked));
  ranked.sort((a, b) => b.score - a.score || (a.tool < b.tool ? -1 : 1));
  const best = ranked[0]?.score ?? 0;
  const least = Math.max(MIN_SCORE, MIN_SHARE_OF_BEST * best);
  const good = ranked
    .filter((tool) => tool.score >= least)
    // A long request may exceed 1: the others keep their distance to the best.
    .map((tool) => ({ ...tool, score: tool.score / Math.max(1, best) }));
  return {
    found: good,
    nearest: good.length > 0 ? [] : listNearest(ranked),
  };
}

/** None for a request of which every tool matches only a generic word. */
function listNearest(ranked: readonly Found[]): string[] {
  const least = Math.max(MIN_NEAREST_SCORE, MIN_SHARE_OF_NEAREST * (ranked[0]?.score ?? 0));
  const near = ranked.filter(({ score }) => score >= least);
  return near.slice(0, MAX_NEAREST).map(({ tool }) => tool);
}

function rankSkills(skills: Match[], asked: string): Found {
  skills.sort((a, b) => b.score - a.score);
  const [best, ...others] = skills as [Match, ...Match[]];
  const rest = others.reduce((sum, skill) => sum + skill.score, 0);
  const good = skills.filter((skill) => skill.score >= MIN_SHARE_OF_SKILL * best.score);
  return {
    tool: best.place.tool,
    score: best.place.named === asked ? EXACT_NAME_SCORE : best.score + OTHER_SKILLS_SHARE * rest,
    skills: good.map(({ place }) => place.skill),
  };
}

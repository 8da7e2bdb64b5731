import { editDistance } from '../kit/edit-distance.mjs';
import type { ToolDefinition } from './sdk/define-tool';

/** Weights of the place where a word of the name was found. */
const IN_NAME = 6;
const IN_TITLE = 2;
const IN_DESCRIPTION = 1;
const LEAST_STEM = 4;

/** A skill that fits a name that is no tool's, such as `word_count`. */
export interface NearestSkill {
  readonly tool: string;
  readonly skill: string;
}

/** Finds the skill that has all words of a name, best in its own name; undefined if none has. */
export function findSkillByWords(name: string, tools: Iterable<ToolDefinition>): NearestSkill | undefined {
  const words = splitWords(name);
  if (words.length === 0) return undefined;
  let nearest: NearestSkill | undefined;
  let best = 0;
  for (const tool of tools)
    for (const skill of tool.skills) {
      const score = scoreSkill(words, tool, skill);
      if (score > best) [nearest, best] = [{ tool: tool.name, skill: skill.name }, score];
    }
  return nearest;
}

/**
 * Finds the tool with the smallest edit distance; among equals one that has the skill.
 * @param limit tools at a larger distance are not considered
 */
export function findNearestTool(
  name: string,
  tools: Iterable<ToolDefinition>,
  { skill, limit }: { skill: string | undefined; limit: number },
): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const tool of tools) {
    const distance = editDistance(name.toLowerCase(), tool.name.toLowerCase());
    if (distance > limit) continue;
    const rank = distance + (tool.skills.some((known) => known.name === skill) ? 0 : 0.5);
    if (rank < least) [nearest, least] = [tool.name, rank];
  }
  return nearest;
}

function scoreSkill(
  words: readonly string[],
  tool: ToolDefinition,
  skill: ToolDefinition['skills'][number],
): number {
  const places: [weight: number, words: readonly string[]][] = [
    [IN_NAME, splitWords(`${tool.name} ${skill.name}`)],
    [IN_TITLE, splitWords(`${tool.displayName} ${skill.displayName}`)],
    [IN_DESCRIPTION, splitWords(skill.description)],
  ];
  let score = 0;
  let isCertain = words.length > 1;
  for (const word of words) {
    const weight = places.find(([, known]) => known.some((other) => isSameWord(word, other)))?.[0];
    if (weight === undefined) return 0;
    score += weight;
    isCertain ||= weight > IN_DESCRIPTION;
  }
  // Descriptions have many words, so a single one there means little.
  return isCertain ? score : 0;
}

/** Words in lower case: `wordCount`, `word-count` and `word.count` have two. */
function splitWords(text: string): string[] {
  return text
    .slice(0, 500)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
}

/** The same word, or another form of it: count, counts, counting. */
function isSameWord(word: string, other: string): boolean {
  if (word === other) return true;
  const shorter = Math.min(word.length, other.length);
  if (shorter < LEAST_STEM) return false;
  const stem = Math.max(LEAST_STEM, shorter - 1);
  return word.slice(0, stem) === other.slice(0, stem) && Math.abs(word.length - other.length) <= 3;
}

import { nearestName } from '../core/errors/unknown-name';
import { editDistance } from '../kit/edit-distance.mjs';

/** What is compared with the name of a skill that does not exist. */
export interface NamedSkill {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
}

/** What is compared with the name of a tool that does not exist. */
export interface NamedTool {
  readonly name: string;
  readonly displayName?: string;
  readonly skills: readonly NamedSkill[];
}

const MAX_NEAREST = 3;
/** Words count as equal if they begin with the same letters: `translate`, `translation`. */
const STEM_LETTERS = 5;
/** What a word counts in a name, a title and a description. */
const WEIGHTS = [6, 2, 1] as const;
const IN_DESCRIPTION = 1;
/** Of a description: its first sentences say what a skill does. */
const MAX_CHARS = 300;
/** Of a wrong name, which may be long. */
const MAX_WORDS = 8;
const FILLERS = new Set(['a', 'an', 'and', 'by', 'for', 'from', 'get', 'in', 'of', 'the', 'to', 'with']);

/** Returns the skills that a wrong name may mean: the misspelt one, else those with its words. */
export function findNearestSkills(name: string, skills: readonly NamedSkill[]): string[] {
  const misspelt = nearestName(
    name,
    skills.map((skill) => skill.name),
  );
  if (misspelt !== undefined) return [misspelt];
  const words = readWords(name).slice(0, MAX_WORDS);
  return skills
    .map((skill) => ({ name: skill.name, score: sum(weighWords(words, skill)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_NEAREST)
    .map((skill) => skill.name);
}

/**
 * Finds the skill that fits a name that is no tool's, such as `word_count`: it has all words of the
 * name, best in its own name. Undefined if none has.
 */
export function findSkillByWords(
  name: string,
  tools: Iterable<NamedTool>,
): { tool: string; skill: string } | undefined {
  const words = readWords(name).slice(0, MAX_WORDS);
  let nearest: { tool: string; skill: string } | undefined;
  let best = 0;
  for (const tool of tools)
    for (const skill of tool.skills) {
      const weights = weighWords(words, skill, tool);
      // Descriptions have many words, so a single one there means little.
      const isCertain = weights.length > 1 || weights.some((weight) => weight > IN_DESCRIPTION);
      if (!isCertain || weights.includes(0) || sum(weights) <= best) continue;
      [nearest, best] = [{ tool: tool.name, skill: skill.name }, sum(weights)];
    }
  return nearest;
}

/**
 * Finds the tool with this title, else the one with the smallest edit distance; among equals one
 * that has the skill.
 * @param limit tools at a larger distance are not considered
 */
export function findNearestTool(
  name: string,
  tools: Iterable<NamedTool>,
  { skill, limit }: { skill: string | undefined; limit: number },
): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const tool of tools) {
    if (tool.displayName?.toLowerCase() === name.toLowerCase()) return tool.name;
    if (Math.abs(tool.name.length - name.length) > limit) continue;
    const distance = editDistance(name.toLowerCase(), tool.name.toLowerCase());
    if (distance > limit) continue;
    const rank = distance + (tool.skills.some((known) => known.name === skill) ? 0 : 0.5);
    if (rank < least) [nearest, least] = [tool.name, rank];
  }
  return nearest;
}

/** For each word, the weight of the best place in which a skill has it; 0 for none. */
function weighWords(words: readonly string[], skill: NamedSkill, tool?: NamedTool): number[] {
  const all = [getPlaces(skill), ...(tool ? [getPlaces(tool)] : [])];
  return words.map((word) => WEIGHTS.find((_, place) => all.some((places) => places[place]?.has(word))) ?? 0);
}

/** The words of the name, the title and the description of a skill; the first two of a tool. */
type Places = readonly ReadonlySet<string>[];

/** Definitions are immutable: with thousands of skills, reading their words takes 50 ms. */
const placesOf = new WeakMap<NamedSkill | NamedTool, Places>();

function getPlaces(named: NamedSkill | NamedTool): Places {
  const known = placesOf.get(named);
  if (known) return known;
  const { name, displayName = '' } = named;
  const description = 'skills' in named ? '' : (named.description ?? '');
  const places = [name, displayName, description].map((text) => new Set(readWords(text)));
  placesOf.set(named, places);
  return places;
}

function sum(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}

/** The stems of a name or text: `wordCount` and `word_count` have `word` and `count`. */
function readWords(text: string): string[] {
  const words =
    text
      .slice(0, MAX_CHARS)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const stems = words
    .filter((word) => !FILLERS.has(word))
    .map((word) => word.replace(/s$/, '').slice(0, STEM_LETTERS));
  return [...new Set(stems)];
}

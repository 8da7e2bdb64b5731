/**
 * Scores a skill for a search: every word must occur, and matches in the names score higher.
 * Substrings only: fuzzy subsequences, as palettes use, would match every long description.
 * @param names the names and keywords of the skill, and its description last
 * @returns 0 if it does not match
 */
export function matchSkill(id: string, search: string, names: readonly string[] = []): number {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [id, ...names].map((text) => text.toLowerCase());
  const inNames = all.slice(0, -1).join(' ');
  if (all[0]?.startsWith(search.trim().toLowerCase())) return 1;
  if (words.every((word) => inNames.includes(word))) return 0.8;
  return words.every((word) => inNames.includes(word) || all.at(-1)?.includes(word)) ? 0.4 : 0;
}

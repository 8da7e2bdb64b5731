/**
 * How well a skill fits what is searched for: every word must be in it, best in its names. Plain parts of words, because
 * letters in their order, which palettes look for, are in every long description.
 * @param names name and keywords of the skill, its description the last
 * @returns 0 where it does not fit
 */
export function matchSkill(id: string, search: string, names: readonly string[] = []): number {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [id, ...names].map((text) => text.toLowerCase());
  const inNames = all.slice(0, -1).join(' ');
  if (all[0]?.startsWith(search.trim().toLowerCase())) return 1;
  if (words.every((word) => inNames.includes(word))) return 0.8;
  return words.every((word) => inNames.includes(word) || all.at(-1)?.includes(word)) ? 0.4 : 0;
}

/**
 * The entries in which every typed word starts a word. Labels that start with the text come first,
 * then labels that contain all words, then matches on additional search words.
 */
export function matching<T extends { label: string; words?: string }>(
  entries: readonly T[],
  text: string,
): T[] {
  const wanted = words(text);
  if (wanted.length === 0) return [...entries];
  const scored = entries.flatMap((entry) => {
    const score = scoreOf(entry, wanted, text);
    return score === 0 ? [] : [{ entry, score }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function scoreOf(entry: { label: string; words?: string }, wanted: string[], text: string): number {
  const label = words(entry.label);
  if (entry.label.toLowerCase().startsWith(text.trim().toLowerCase())) return 3;
  if (allIn(wanted, label)) return 2;
  return allIn(wanted, [...label, ...words(entry.words ?? '')]) ? 1 : 0;
}

function allIn(wanted: string[], among: string[]): boolean {
  return wanted.every((word) => among.some((other) => other.startsWith(word)));
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_…]+/u)
    .filter(Boolean);
}

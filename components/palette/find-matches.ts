/**
 * The entries in which every typed word starts a word. Labels that start with the text come first,
 * then labels that contain all words, then matches on additional search words.
 */
export function findMatches<T extends { label: string; words?: string | undefined }>(
  entries: readonly T[],
  text: string,
): T[] {
  const wanted = words(text);
  if (wanted.length === 0) return [...entries];
  const scored = entries.flatMap((entry) => {
    const score = scoreEntry(entry, wanted, text);
    return score === 0 ? [] : [{ entry, score }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function scoreEntry(
  entry: { label: string; words?: string | undefined },
  wanted: string[],
  text: string,
): number {
  const label = words(entry.label);
  if (entry.label.toLowerCase().startsWith(text.trim().toLowerCase())) return 3;
  if (includesAll(wanted, label)) return 2;
  return includesAll(wanted, [...label, ...words(entry.words ?? '')]) ? 1 : 0;
}

function includesAll(wanted: string[], among: string[]): boolean {
  return wanted.every((word) => among.some((other) => other.startsWith(word)));
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_…]+/u)
    .filter(Boolean);
}

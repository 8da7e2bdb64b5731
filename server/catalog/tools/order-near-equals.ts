/** Scores from this share of the best one on count as equal to it. */
const NEAR_SHARE = 0.95;

/**
 * Orders matches by availability within groups of near-equal scores, so that a tool that works
 * never replaces one that matches clearly better.
 * @param matches best first
 * @param getPlace 0 for a tool that works, more for others
 */
export function orderNearEquals<Match extends { readonly score: number }>(
  matches: readonly Match[],
  getPlace: (match: Match) => number,
): Match[] {
  const ordered: Match[] = [];
  let rest = matches;
  while (rest[0]) {
    const least = NEAR_SHARE * rest[0].score;
    const end = rest.findIndex(({ score }) => score < least);
    const group = end === -1 ? rest : rest.slice(0, end);
    ordered.push(...group.toSorted((a, b) => getPlace(a) - getPlace(b)));
    rest = rest.slice(group.length);
  }
  return ordered;
}

/**
 * Compares versions such as `0.10.2` by their numbers; what follows a hyphen does not count.
 * @returns negative if `a` is the earlier one, 0 if they are equal or one has no numbers
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.replace(/-.*/, '').split('.').map(Number));
  for (const [at, number] of (left ?? []).entries()) {
    const difference = number - (right?.[at] ?? 0);
    if (difference !== 0) return Number.isNaN(difference) ? 0 : difference;
  }
  return 0;
}

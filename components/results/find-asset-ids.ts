const ASSET_ID = /^asset_[0-9a-z_]{1,80}$/;
/** Further files are not previewed. */
const MAX_ASSETS = 12;

/** The asset ids anywhere in an output, each once, in order. */
export function findAssetIds(output: unknown): string[] {
  const found = new Set<string>();
  const left: unknown[] = [output];
  // Indexed iteration, no shift or spread: a list may have a hundred thousand items.
  for (let at = 0; at < left.length && found.size < MAX_ASSETS; at++) {
    const value = left[at];
    if (typeof value === 'string') {
      if (ASSET_ID.test(value)) found.add(value);
    } else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) left.push(part);
  }
  return [...found];
}

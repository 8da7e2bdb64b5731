const ASSET_ID = /^asset_[0-9a-z_]{1,80}$/;
/** More are not previewed. */
const MAX_ASSETS = 12;

/** The ids of files that a result names anywhere in it, each once, in order. */
export function filesIn(output: unknown): string[] {
  const found = new Set<string>();
  const left: unknown[] = [output];
  while (left.length > 0 && found.size < MAX_ASSETS) {
    const value = left.shift();
    if (typeof value === 'string') {
      if (ASSET_ID.test(value)) found.add(value);
    } else if (typeof value === 'object' && value !== null) left.push(...Object.values(value));
  }
  return [...found];
}

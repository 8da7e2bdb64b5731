/** Where a guide is read from, and where it stands among the others. */
export interface GuideEntry {
  /** Its address is /docs/<name>. */
  name: string;
  /** From the project's root. */
  file: string;
  group: string;
}

const GROUPS: Record<string, readonly string[]> = {
  Begin: ['quickstart', 'catalogue', 'keys', 'mcp', 'cli'],
  Call: ['calls', 'jobs', 'streams', 'batches', 'idempotency', 'assets', 'errors', 'limits'],
  Pay: ['money', 'machine-payment', 'byok', 'teams'],
  Operate: ['importing', 'versioning'],
};

/** Guides that were there before the folder of guides. */
const ELSEWHERE: Record<string, string> = { 'machine-payment': 'docs/machine-payment.md' };

/** Every guide, in the order in which one would read them. */
export const GUIDE_LIST: readonly GuideEntry[] = Object.entries(GROUPS).flatMap(([group, names]) =>
  names.map((name) => ({ name, group, file: ELSEWHERE[name] ?? `docs/guides/${name}.md` })),
);

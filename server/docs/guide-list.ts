/** The source file of a guide and its place in the navigation. */
export interface GuideEntry {
  /** Served at /docs/<name>. */
  name: string;
  /** Relative to the project root. */
  file: string;
  group: string;
}

const GROUPS: Record<string, readonly string[]> = {
  'Get started': ['quickstart', 'catalogue', 'keys', 'mcp', 'cli', 'comparison'],
  'Calling tools': [
    'calls',
    'jobs',
    'webhooks',
    'streams',
    'batches',
    'idempotency',
    'assets',
    'data',
    'errors',
    'limits',
  ],
  Billing: ['money', 'receipts', 'machine-payment', 'byok', 'teams'],
  'Self-hosting': ['importing', 'versioning'],
};

/** Guides outside docs/guides. */
const OTHER_FILES: Record<string, string> = {
  'machine-payment': 'docs/machine-payment.md',
  comparison: 'docs/comparison.md',
};

/** Every guide, in reading order. */
export const GUIDE_LIST: readonly GuideEntry[] = Object.entries(GROUPS).flatMap(([group, names]) =>
  names.map((name) => ({ name, group, file: OTHER_FILES[name] ?? `docs/guides/${name}.md` })),
);

import { GUIDE_LIST } from './guide-list';

/** The origin in the sources of the guides: that of a local gateway. */
export const SOURCE_ORIGIN = 'http://localhost:3000';

const NAMES = new Set(GUIDE_LIST.map(({ name }) => name));
const GUIDE_FILE = /^(?:\.\.?\/)*(?:docs\/)?(?:guides\/)?([a-z-]+)\.md(#.*)?$/;

/**
 * Resolves a link of a guide source for the pages: another guide, an anchor, this gateway, or an
 * external URL. Null for repository files that are not served.
 */
export function guideHref(href: string, baseUrl: string): string | null {
  if (href.startsWith('#') || href.startsWith('mailto:')) return href;
  const guide = GUIDE_FILE.exec(href);
  if (guide?.[1] !== undefined && NAMES.has(guide[1])) return `/docs/${guide[1]}${guide[2] ?? ''}`;
  if (href === baseUrl) return '/';
  if (href.startsWith(`${baseUrl}/`)) return href.slice(baseUrl.length);
  return /^https?:\/\//.test(href) ? href : null;
}

import { GUIDE_LIST } from './guide-list';

/** The address that the sources of the guides are written with: what a local start answers at. */
export const SOURCE_ORIGIN = 'http://localhost:3000';

const NAMES = new Set(GUIDE_LIST.map(({ name }) => name));
const GUIDE_FILE = /^(?:\.\.?\/)*(?:docs\/)?(?:guides\/)?([a-z-]+)\.md(#.*)?$/;

/**
 * Where a link of a guide's source leads on the pages: another guide, a place on this page, this gateway, or elsewhere.
 * Null for files of the repository that are not served.
 */
export function guideHref(href: string, baseUrl: string): string | null {
  if (href.startsWith('#') || href.startsWith('mailto:')) return href;
  const guide = GUIDE_FILE.exec(href);
  if (guide?.[1] !== undefined && NAMES.has(guide[1])) return `/docs/${guide[1]}${guide[2] ?? ''}`;
  if (href === baseUrl) return '/';
  if (href.startsWith(`${baseUrl}/`)) return href.slice(baseUrl.length);
  return /^https?:\/\//.test(href) ? href : null;
}

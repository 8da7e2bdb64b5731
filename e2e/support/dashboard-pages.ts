import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NAV_ITEMS } from '../../components/shared/nav-items';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The paths of all dashboard pages. */
export function dashboardPaths(): string[] {
  return NAV_ITEMS.map(({ href }) => href).filter(
    (href) => href.startsWith('/dashboard') && existsSync(join(root, 'app', href)),
  );
}

/** The public pages, one of each kind. */
export const PUBLIC_PATHS = [
  '/',
  '/tools',
  '/tools/diagnostics',
  '/docs',
  '/docs/errors',
  '/docs/api',
  '/status',
  '/sign-in',
  '/claim?token=wrong',
  '/no/such/page',
];

import { nearestName } from '../../core/errors/unknown-name';
import type { Route } from './routes';

type NearRoute = Pick<Route, 'method' | 'template'>;

/** Points by which a route is worse for a segment that the path lacks, and for another method. */
const MISSING_SEGMENT = 1;
const OTHER_METHOD = 10;

/**
 * Finds the route that a path was probably meant for: it lacks the prefix or has another one, lacks
 * a first segment, or has a typing error.
 */
export function findNearRoute<T extends NearRoute>(
  routes: readonly T[],
  method: string,
  path: string,
): T | undefined {
  const segments = path
    .replace(/^\/(?:api(?=\/))?/i, '')
    .replace(/^\/?v\d+(?=\/)/i, '')
    .split('/')
    .filter((segment) => segment !== '');
  if (segments.length === 0) return undefined;
  let nearest: T | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const route of routes) {
    const distance = measure(route.template.split('/').slice(2), segments);
    if (distance === null) continue;
    const total = distance + (route.method === method ? 0 : OTHER_METHOD);
    if (total < least) [nearest, least] = [route, total];
  }
  return nearest;
}

/** Lists routes with this method below the same first segment, for a path without the method. */
export function listRoutesBelow(routes: readonly NearRoute[], method: string, path: string): string[] {
  const below = `/${path.split('/').slice(1, 3).join('/')}/`;
  return routes
    .filter((route) => route.method === method && route.template.startsWith(below))
    .slice(0, 2)
    .map(formatRoute);
}

/** Formats `POST /v1/tools/call`. */
export function formatRoute({ method, template }: NearRoute): string {
  return `${method} ${template}`;
}

/** How far the segments are from the last ones of a template; null if they are no misspelling. */
function measure(template: readonly string[], segments: readonly string[]): number | null {
  const missing = template.length - segments.length;
  if (missing < 0) return null;
  let distance = missing * MISSING_SEGMENT;
  let literals = 0;
  for (const [index, segment] of segments.entries()) {
    const part = template[index + missing] as string;
    // A parameter accepts anything, so it is worse than a word that is spelt right.
    if (part.startsWith('{')) distance += 1;
    else if (part === segment.toLowerCase()) literals += 1;
    else if (nearestName(segment, [part]) === undefined) return null;
    else [distance, literals] = [distance + 1, literals + 1];
  }
  return literals === 0 ? null : distance;
}

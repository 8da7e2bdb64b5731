import type { AnyTRPCProcedure } from '@trpc/server';
import { forEachOpenApiProcedure } from 'trpc-to-openapi';
import type { ProcedureMeta, RestMeta } from '../../core/trpc/init';
import type { DeprecationNotice } from '../../core/versions/notice';
import type { Versions } from '../../core/versions/versions';
import { appRouter } from '../root';

/** One documented route: the procedure that answers it and what REST needs to know. */
export interface Route {
  method: string;
  template: string;
  procedure: AnyTRPCProcedure;
  /** `keys.addCredits` */
  name: string;
  type: 'query' | 'mutation';
  rest: RestMeta;
  hasInput: boolean;
  needsKey: boolean;
  params: readonly string[];
  /** Looked up once, not per request. */
  deprecation?: DeprecationNotice | undefined;
}

export type RouteMatch =
  | { kind: 'route'; route: Route; params: Record<string, string> }
  | { kind: 'method'; allow: string[] }
  | { kind: 'none' };

interface PathEntry {
  segments: readonly string[];
  byMethod: Map<string, Route>;
}

/** The table of all routes, built once from the procedures' meta. */
export class RouteTable {
  readonly routes: readonly Route[];
  readonly #fixed = new Map<string, PathEntry>();
  readonly #withParams: PathEntry[] = [];

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    const entries = new Map<string, PathEntry>();
    for (const route of routes) {
      const entry = entries.get(route.template) ?? {
        segments: route.template.split('/'),
        byMethod: new Map(),
      };
      entry.byMethod.set(route.method, route);
      entries.set(route.template, entry);
    }
    for (const [template, entry] of entries)
      if (template.includes('{')) this.#withParams.push(entry);
      else this.#fixed.set(template, entry);
  }

  /**
   * A path matches as it is written: other case is another path (threats E1). A slash at its end is
   * passed over where something is read; a change with one may have lost its id, and finds nothing.
   */
  match(method: string, path: string): RouteMatch {
    const wanted = method === 'HEAD' ? 'GET' : method;
    if (wanted === 'GET' && path.endsWith('/')) return this.#find(wanted, path.slice(0, -1));
    return this.#find(wanted, path);
  }

  #find(wanted: string, path: string): RouteMatch {
    const fixed = this.#fixed.get(path);
    if (fixed) return choose(fixed, wanted, {});
    const segments = path.split('/');
    for (const entry of this.#withParams) {
      const params = matchSegments(entry.segments, segments);
      if (params) return choose(entry, wanted, params);
    }
    return { kind: 'none' };
  }
}

function choose(entry: PathEntry, method: string, params: Record<string, string>): RouteMatch {
  const route = entry.byMethod.get(method);
  if (route) return { kind: 'route', route, params };
  const methods = [...entry.byMethod.keys()];
  return { kind: 'method', allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'] };
}

function matchSegments(
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index] as string;
    if (part.startsWith('{')) {
      if (segment === '') return null;
      const value = decode(segment);
      if (value === null) return null;
      params[part.slice(1, -1)] = value;
    } else if (part !== segment) return null;
  }
  return params;
}

/** Null for what is no UTF-8: such a path names nothing. */
function decode(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * The routes that the procedures of the app declare.
 * @param versions says which of them are deprecated
 */
export function collectRoutes(versions?: Versions): Route[] {
  const routes: Route[] = [];
  const procedures = appRouter._def.procedures as unknown as Parameters<typeof forEachOpenApiProcedure>[0];
  forEachOpenApiProcedure(procedures, ({ path: name, type, procedure, meta }) => {
    const { rest, openapi } = meta as ProcedureMeta & Required<Pick<ProcedureMeta, 'openapi'>>;
    if (!rest || !openapi || type === 'subscription') throw new Error(`${name} has no REST meta`);
    routes.push({
      method: openapi.method,
      template: openapi.path,
      procedure: procedure as unknown as AnyTRPCProcedure,
      name,
      type,
      rest,
      hasInput: (procedure as unknown as { _def: { inputs: unknown[] } })._def.inputs.length > 0,
      needsKey: openapi.protect === true,
      params: [...openapi.path.matchAll(/\{(.+?)\}/g)].map((match) => match[1] as string),
      deprecation: versions?.ofRoute(openapi.method, openapi.path),
    });
  });
  return routes;
}

import type { AnyTRPCProcedure } from '@trpc/server';
import { forEachOpenApiProcedure } from 'trpc-to-openapi';
import type { z } from 'zod';
import type { ProcedureMeta, RestMeta } from '../../core/trpc/init';
import type { DeprecationNotice } from '../../core/versions/notice';
import type { Versions } from '../../core/versions/versions';
import { appRouter } from '../root';

/** A documented route: its procedure and what REST needs to know about it. */
export interface Route {
  method: string;
  template: string;
  procedure: AnyTRPCProcedure;
  /** The procedure's name, such as `keys.addCredits`. */
  name: string;
  type: 'query' | 'mutation';
  rest: RestMeta;
  hasInput: boolean;
  /** The schema of a body that models write. */
  modelInput?: z.ZodType | undefined;
  needsKey: boolean;
  params: readonly string[];
  /** Resolved once, not per request. */
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

/** Table of all routes, built once from the procedures' meta. */
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
   * Paths are case-sensitive (threats E1). A trailing slash is ignored for GET only: a change with
   * one may have lost its id, so it matches nothing.
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

/** Null if the segment is not valid UTF-8, which matches no route. */
function decode(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * Lists the routes that the app's procedures declare.
 * @param versions marks deprecated routes
 */
export function collectRoutes(versions?: Versions): Route[] {
  const routes: Route[] = [];
  // The library is typed for routers without subscriptions, and tRPC does not publish `inputs`.
  const procedures = appRouter._def.procedures as unknown as Parameters<typeof forEachOpenApiProcedure>[0];
  forEachOpenApiProcedure(procedures, ({ path: name, type, procedure, meta }) => {
    const { rest, openapi } = meta as ProcedureMeta & Required<Pick<ProcedureMeta, 'openapi'>>;
    if (!rest || !openapi || type === 'subscription') throw new Error(`${name} has no REST meta`);
    const { inputs } = (procedure as unknown as { _def: { inputs: z.ZodType[] } })._def;
    routes.push({
      method: openapi.method,
      template: openapi.path,
      procedure: procedure as unknown as AnyTRPCProcedure,
      name,
      type,
      rest,
      hasInput: inputs.length > 0,
      modelInput: rest.fromModels ? inputs[0] : undefined,
      needsKey: openapi.protect === true,
      params: [...openapi.path.matchAll(/\{(.+?)\}/g)].map((match) => match[1] as string),
      deprecation: versions?.findRouteNotice(openapi.method, openapi.path),
    });
  });
  return routes;
}

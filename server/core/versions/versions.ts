import { DEPRECATIONS, type Deprecation, type Deprecations } from './deprecations';
import type { DeprecationNotice } from './notice';

/** Minimum months from deprecation to sunset (contract section 9). */
export const NOTICE_MONTHS = 6;

/** The deprecations of this process, validated and formatted once. */
export class Versions {
  readonly table: Deprecations;
  readonly #routes: ReadonlyMap<string, DeprecationNotice>;
  readonly #tools: ReadonlyMap<string, DeprecationNotice>;

  /** @throws Error naming the invalid entry */
  constructor(baseUrl: string, table: Deprecations = DEPRECATIONS) {
    this.table = table;
    this.#routes = createNotices(table.routes, () => 'route', baseUrl);
    this.#tools = createNotices(table.tools, (name) => (name.includes('.') ? 'skill' : 'tool'), baseUrl);
  }

  /** The notice of a route, by method and path as in the OpenAPI document. */
  findRouteNotice(method: string, template: string): DeprecationNotice | undefined {
    return this.#routes.get(`${method} ${template}`);
  }

  /** The notice of a tool or skill; a tool's notice applies to all its skills. */
  findToolNotice(tool: string, skill?: string): DeprecationNotice | undefined {
    if (this.#tools.size === 0) return undefined;
    return (skill && this.#tools.get(`${tool}.${skill}`)) || this.#tools.get(tool);
  }
}

/** Adds the headers of a notice to a response, keeping its existing links. */
export function addNotice(headers: Record<string, string>, { headers: added }: DeprecationNotice): void {
  const links = headers.Link;
  Object.assign(headers, added);
  if (links) headers.Link = `${links}, ${added.Link}`;
}

function createNotices(
  entries: Readonly<Record<string, Deprecation>>,
  kindOf: (name: string) => DeprecationNotice['kind'],
  baseUrl: string,
): ReadonlyMap<string, DeprecationNotice> {
  return new Map(
    Object.entries(entries).map(([name, entry]) => [name, createNotice(kindOf(name), name, entry, baseUrl)]),
  );
}

function createNotice(
  kind: DeprecationNotice['kind'],
  name: string,
  { since, sunset, link, replacement }: Deprecation,
  baseUrl: string,
): DeprecationNotice {
  const begin = parseTime(name, 'since', since);
  const end = sunset === undefined ? null : parseTime(name, 'sunset', sunset);
  if (end && end < addMonths(begin, NOTICE_MONTHS))
    throw new Error(`Deprecation of ${name}: sunset is less than ${NOTICE_MONTHS} months after since`);
  const address = resolveLink(name, link, baseUrl);
  return {
    kind,
    name,
    deprecated: {
      since: begin.toISOString(),
      sunset: end?.toISOString() ?? null,
      replacement: replacement ?? null,
      link: address,
    },
    headers: {
      Deprecation: `@${Math.floor(begin.getTime() / 1000)}`,
      ...(end && { Sunset: end.toUTCString() }),
      Link: [
        `<${address}>; rel="deprecation"; type="text/html"`,
        ...(end ? [`<${address}>; rel="sunset"; type="text/html"`] : []),
      ].join(', '),
    },
  };
}

const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

function parseTime(name: string, field: string, text: string): Date {
  const instant = new Date(text);
  if (!UTC.test(text) || Number.isNaN(instant.getTime()))
    throw new Error(`Deprecation of ${name}: ${field} must be a UTC time such as 2027-01-31T00:00:00Z`);
  return instant;
}

/** The same day of a later month; the last day of that month if it is shorter. */
function addMonths(instant: Date, months: number): Date {
  const later = new Date(instant);
  later.setUTCDate(1);
  later.setUTCMonth(instant.getUTCMonth() + months);
  const days = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(instant.getUTCDate(), days));
  return later;
}

/** Resolves a link for a Link header. URL escapes `<`, `>` and spaces. */
function resolveLink(name: string, link: string, baseUrl: string): string {
  const isPath = link.startsWith('/') && !link.startsWith('//');
  if (!isPath && !link.startsWith('https://'))
    throw new Error(`Deprecation of ${name}: link must be a path of the gateway or an https URL`);
  return new URL(link, baseUrl).href;
}

/** Something that is on its way out: what it is keyed by in the table says what. */
export interface Deprecation {
  /** ISO 8601 UTC: since then clients are told. */
  since: string;
  /** ISO 8601 UTC: it answers at least until then, half a year or more after `since`. */
  sunset?: string;
  /** Where to read about it: a path of this gateway, or an https address. */
  link: string;
  /** What to use instead: a route as it is keyed here, or `tool` or `tool.skill`. */
  replacement?: string;
}

/** All that is deprecated. */
export interface Deprecations {
  /** By method and path as they are in the document: `GET /v1/tools/{tool}`. */
  readonly routes: Readonly<Record<string, Deprecation>>;
  /** By `tool`, or `tool.skill` for one of its skills. */
  readonly tools: Readonly<Record<string, Deprecation>>;
}

/**
 * The one table of what is deprecated (contract section 9). Headers, the document, the catalogue, results of calls and
 * the page of versions are made from it. An entry is added when its successor is there and removed with what it names.
 */
export const DEPRECATIONS: Deprecations = { routes: {}, tools: {} };

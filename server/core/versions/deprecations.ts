/** The deprecation of a route or tool, which is named by its key in the table. */
export interface Deprecation {
  /** ISO 8601 UTC: start of the deprecation notice. */
  since: string;
  /** ISO 8601 UTC: earliest removal, at least half a year after `since`. */
  sunset?: string;
  /** Documentation: a path of this gateway, or an https URL. */
  link: string;
  /** The replacement: a route in the same form as here, or `tool` or `tool.skill`. */
  replacement?: string;
}

/** All deprecations. */
export interface Deprecations {
  /** By method and path as in the OpenAPI document: `GET /v1/tools/{tool}`. */
  readonly routes: Readonly<Record<string, Deprecation>>;
  /** By `tool`, or `tool.skill` for one skill. */
  readonly tools: Readonly<Record<string, Deprecation>>;
}

/**
 * The one table of deprecations (contract section 9). Headers, the OpenAPI document, the catalogue,
 * call results and the versions page are generated from it. Add an entry once its replacement
 * exists; remove it with what it names.
 */
export const DEPRECATIONS: Deprecations = { routes: {}, tools: {} };

import type { Deprecated } from './schema';

/** One entry of the table in the forms that clients see. */
export interface DeprecationNotice {
  /** What is deprecated: a route, or an entry of the catalogue. */
  readonly kind: 'route' | 'tool' | 'skill';
  /** As in the table: `GET /v1/tools/{tool}`, `math`, `math.evaluate`. */
  readonly name: string;
  /** The form in response bodies. */
  readonly deprecated: Deprecated;
  /** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the `Link`s of both. */
  readonly headers: Readonly<Record<'Deprecation' | 'Link', string> & { Sunset?: string }>;
}

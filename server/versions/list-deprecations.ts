import type { Runtime } from '../runtime';
import type { Deprecated } from './schema';
import type { DeprecationNotice } from './versions';

/** A line of the list of what is deprecated. */
export interface ListedDeprecation extends Deprecated {
  kind: DeprecationNotice['kind'];
  /** `GET /v1/tools/{tool}`, `math`, `math.evaluate`. */
  name: string;
}

/** All that is deprecated here, routes first: what a page of versions shows. Empty where nothing is. */
export function listDeprecations({ versions }: Pick<Runtime, 'versions'>): ListedDeprecation[] {
  return versions.list().map(({ kind, name, deprecated }) => ({ kind, name, ...deprecated }));
}

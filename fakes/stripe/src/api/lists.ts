import type { Kind, Shape } from '../resources/objects';
import type { Filter, ObjectStore } from '../state/object-store';
import { invalidRequest, notFound } from './errors';
import type { Params } from './form';

/** A page of a list, as Stripe's API returns it. */
export interface ApiList<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/**
 * Handles `limit`, `starting_after`, `ending_before` and `created`; `filter` has the other
 * parameters.
 */
export async function listObjects<K extends Kind>(
  store: ObjectStore,
  kind: K,
  url: string,
  params: Params,
  filter: Filter = {},
): Promise<ApiList<Shape<K>>> {
  const limit = params.integer('limit') ?? 10;
  if (limit < 1 || limit > 100)
    throw invalidRequest('Limit must be between 1 and 100.', 'parameter_invalid_integer', 'limit');
  const startingAfter = params.text('starting_after');
  const endingBefore = params.text('ending_before');
  if (startingAfter && endingBefore)
    throw invalidRequest('You may only specify one of these parameters: starting_after, ending_before.');
  for (const [name, id] of Object.entries({ starting_after: startingAfter, ending_before: endingBefore }))
    if (id && !(await store.find(kind, id))) throw notFound(kind, id, name, 400);
  const complete = { ...readCreatedRange(params), ...filter };
  const { rows, hasMore } = await store.list(kind, complete, { limit, startingAfter, endingBefore });
  return { object: 'list', data: rows.map(({ data }) => data), has_more: hasMore, url };
}

/** An exact `created=…`, or `created[gte]`, `[gt]`, `[lte]`, `[lt]`. */
function readCreatedRange(params: Params): Filter {
  const range = params.nested('created');
  const gt = range.integer('gt');
  const lt = range.integer('lt');
  const within: Filter = {
    createdFrom: range.integer('gte') ?? (gt === undefined ? undefined : gt + 1),
    createdTo: range.integer('lte') ?? (lt === undefined ? undefined : lt - 1),
  };
  if (within.createdFrom !== undefined || within.createdTo !== undefined || !params.has('created'))
    return within;
  const exact = params.integer('created');
  return { createdFrom: exact, createdTo: exact };
}

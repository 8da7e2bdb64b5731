import { invalidRequest, noSuch } from './errors';
import type { Params } from './form';
import type { Kind, Shape } from './objects';
import type { Filter, Store } from './store';

/** A page of objects in Stripe's list shape. */
export interface ApiList<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/** Answers a list request: `limit`, `starting_after`, `ending_before`, `created` and whatever else narrows it. */
export async function listObjects<K extends Kind>(
  store: Store,
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
    if (id && !(await store.find(kind, id))) throw noSuch(kind, id, name, 400);
  const narrowed = { ...createdRange(params), ...filter };
  const { rows, more } = await store.list(kind, narrowed, { limit, startingAfter, endingBefore });
  return { object: 'list', data: rows.map(({ data }) => data), has_more: more, url };
}

/** `created=…` exactly, or `created[gte]`, `[gt]`, `[lte]`, `[lt]`. */
function createdRange(params: Params): Filter {
  const range = params.under('created');
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

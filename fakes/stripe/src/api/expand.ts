import { listLineItems } from '../resources/checkout-sessions';
import type { Kind, Row } from '../resources/objects';
import type { ObjectStore } from '../state/object-store';
import { invalidRequest } from './errors';

/** The expandable fields and the kind of object that each refers to. */
const FIELDS: Record<string, Kind> = {
  customer: 'customer',
  payment_method: 'payment_method',
  default_payment_method: 'payment_method',
  payment_intent: 'payment_intent',
  latest_charge: 'charge',
  charge: 'charge',
};

type Fields = Record<string, unknown>;

/** Replaces ids by their objects. @param paths as in `expand[]`, e.g. `data.latest_charge` */
export async function expand(
  store: ObjectStore,
  response: object,
  paths: readonly string[],
): Promise<object> {
  let expanded: unknown = response;
  for (const path of paths) expanded = await expandPath(store, expanded, path.split('.'), path);
  return expanded as object;
}

async function expandPath(
  store: ObjectStore,
  value: unknown,
  steps: string[],
  path: string,
): Promise<unknown> {
  const [step, ...rest] = steps;
  if (step === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value))
    return await Promise.all(value.map((element) => expandPath(store, element, steps, path)));
  if (typeof value !== 'object')
    throw invalidRequest(`This property cannot be expanded (${step}).`, undefined, 'expand');
  const fields = value as Fields;
  if (!(step in fields)) {
    const loaded = await loadMissingField(store, fields, step);
    if (loaded === undefined)
      throw invalidRequest(`This property cannot be expanded (${path}).`, undefined, 'expand');
    return { ...fields, [step]: loaded };
  }
  const child = await resolve(store, step, fields[step]);
  return { ...fields, [step]: await expandPath(store, child, rest, path) };
}

/** Returns the object of an id; an object that is expanded already stays. */
async function resolve(store: ObjectStore, field: string, value: unknown): Promise<unknown> {
  const kind = FIELDS[field];
  if (typeof value === 'object' || (kind && typeof value !== 'string')) return value;
  if (!kind || typeof value !== 'string')
    throw invalidRequest(`This property cannot be expanded (${field}).`, undefined, 'expand');
  const row: Row<Kind> | null = await store.find(kind, value);
  return row?.data ?? value;
}

/** Lists that Stripe includes only on request. */
async function loadMissingField(store: ObjectStore, fields: Fields, field: string): Promise<unknown> {
  if (typeof fields.id !== 'string') return undefined;
  if (fields.object === 'checkout.session' && field === 'line_items')
    return await listLineItems(store, fields.id);
  if (fields.object !== 'charge' || field !== 'refunds') return undefined;
  const rows = await store.all('refund', { charge: fields.id });
  return {
    object: 'list',
    data: rows.map(({ data }) => data),
    has_more: false,
    url: `/v1/charges/${fields.id}/refunds`,
  };
}

import { listLineItems } from './checkout-sessions';
import { invalidRequest } from './errors';
import type { Kind, Row } from './objects';
import type { Store } from './store';

/** What the fields that can be expanded point to. */
const FIELDS: Record<string, Kind> = {
  customer: 'customer',
  payment_method: 'payment_method',
  default_payment_method: 'payment_method',
  payment_intent: 'payment_intent',
  latest_charge: 'charge',
  charge: 'charge',
};

type Fields = Record<string, unknown>;

/**
 * Puts objects where their ids are, as `expand[]` asks: `latest_charge`, `data.latest_charge`,
 * `payment_intent.payment_method`.
 */
export async function expand(store: Store, answer: object, paths: readonly string[]): Promise<object> {
  let expanded: unknown = answer;
  for (const path of paths) expanded = await expandPath(store, expanded, path.split('.'), path);
  return expanded as object;
}

async function expandPath(store: Store, value: unknown, steps: string[], path: string): Promise<unknown> {
  const [step, ...rest] = steps;
  if (step === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value))
    return await Promise.all(value.map((element) => expandPath(store, element, steps, path)));
  if (typeof value !== 'object')
    throw invalidRequest(`This property cannot be expanded (${step}).`, undefined, 'expand');
  const fields = value as Fields;
  if (!(step in fields)) {
    const wanted = await missingField(store, fields, step);
    if (wanted === undefined)
      throw invalidRequest(`This property cannot be expanded (${path}).`, undefined, 'expand');
    return { ...fields, [step]: wanted };
  }
  const inner = await resolve(store, step, fields[step]);
  return { ...fields, [step]: await expandPath(store, inner, rest, path) };
}

/** An id becomes its object; what is one already stays. */
async function resolve(store: Store, field: string, value: unknown): Promise<unknown> {
  const kind = FIELDS[field];
  if (typeof value === 'object' || (kind && typeof value !== 'string')) return value;
  if (!kind || typeof value !== 'string')
    throw invalidRequest(`This property cannot be expanded (${field}).`, undefined, 'expand');
  const row: Row<Kind> | null = await store.find(kind, value);
  return row?.data ?? value;
}

/** Lists that are only there when they are asked for. */
async function missingField(store: Store, fields: Fields, field: string): Promise<unknown> {
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

import { InputError } from '../../core/errors/skill-error';
import type { FormEncoding } from './definition';
import { serializeInQuery } from './serialize-parameter';

const MAX_DEPTH = 20;

/**
 * Encodes the fields of an `application/x-www-form-urlencoded` body. Lists repeat their name, and
 * objects are JSON, unless the document says otherwise; `deepObject` names every member, at any
 * depth: `items[0][price]=3`.
 * @throws InputError if a value cannot be sent in its style
 */
export function serializeForm(
  fields: Readonly<Record<string, unknown>>,
  encodings: Readonly<Record<string, FormEncoding>>,
): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
    if (encoding?.style === 'deepObject') return nameMembers(name, value, `input.${name}`, 0);
    const style = encoding?.style ?? (hasObject(value) ? 'json' : 'form');
    const explode = encoding?.explode ?? style === 'form';
    return [serializeInQuery({ property: name, name, in: 'query', style, explode }, value)];
  });
  return pairs.filter(Boolean).join('&');
}

function hasObject(value: unknown): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.some((item) => typeof item === 'object' && item !== null);
}

function nameMembers(name: string, value: unknown, path: string, depth: number): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
  if (depth === MAX_DEPTH) throw new InputError(`${path}: is nested too deeply to be sent in a form.`);
  return Object.entries(value).flatMap(([key, item]) => {
    if (/[[\]]/.test(key))
      throw new InputError(`${path}: a name has a [ or ], which mark a name here. Remove it.`);
    return nameMembers(`${name}[${key}]`, item, `${path}.${key}`, depth + 1);
  });
}

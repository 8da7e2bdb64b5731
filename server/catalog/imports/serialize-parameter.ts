import { InputError } from '../../core/errors/skill-error';
import { writeNumberTexts } from '../../kit/number-texts';
import type { RequestParameter } from './definition';

/** Header values: printable ASCII and tabs, no line breaks; spaces at the ends are not sent. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
const OUTER_SPACE = /^\s|\s$/;
/** Reserved in a URL, but without a meaning inside a query value. */
const SAFE_RESERVED = /%(?:3A|2F|3F|40|24|3B|3D|2C)/g;
const SEPARATORS = { spaceDelimited: [' ', '%20', 'space'], pipeDelimited: ['|', '%7C', '|'] } as const;

/** A value as texts: one, a list, or the members of an object. */
type Parts =
  | { kind: 'one'; text: string }
  | { kind: 'list'; texts: string[] }
  | { kind: 'members'; entries: [string, string][] };

/**
 * Encodes a value as part of a URL path.
 * @throws InputError if it cannot be sent there
 */
export function serializeInPath(parameter: RequestParameter, value: unknown): string {
  const parts = toParts(parameter, value);
  const { property, style = 'simple', explode } = parameter;
  const name = encodeURIComponent(parameter.name);
  let text = '';
  if (style === 'matrix') {
    const pair = (key: string, item: string) => (item === '' ? `;${key}` : `;${key}=${item}`);
    if (parts.kind === 'list' && explode)
      text = parts.texts.map((item) => pair(name, encodeURIComponent(item))).join('');
    else if (parts.kind === 'members' && explode)
      text = encodeEntries(parts).reduce((all, [key, item]) => all + pair(key, item), '');
    else if (!isEmpty(parts)) text = pair(name, joinParts(parts, ',', false));
  } else {
    const isLabel = style === 'label';
    // A dot cannot be encoded: URL reads %2E as a dot.
    if (isLabel && explode && listTexts(parts).some((item) => item.includes('.')))
      throw new InputError(`input.${property}: an item has a ., which separates the items. Remove it.`);
    text = joinParts(parts, isLabel && explode ? '.' : ',', explode);
    if (isLabel && text !== '') text = `.${text}`;
  }
  // URL would resolve these as the parent folder, in any encoding.
  if (text === '' || text === '.' || text === '..')
    throw new InputError(`input.${property}: cannot be part of a URL path.`);
  return text;
}

/**
 * Encodes a value as part of a URL query; empty for an empty list or object.
 * @throws InputError if it cannot be sent there
 */
export function serializeInQuery(parameter: RequestParameter, value: unknown): string {
  const { property, style = 'form', explode } = parameter;
  const parts = toParts(parameter, value);
  if (isEmpty(parts)) return '';
  const name = encodeURIComponent(parameter.name);
  const encode = (text: string) => encodeInQuery(text, parameter.allowReserved === true);
  if (parts.kind === 'one') return `${name}=${encode(parts.text)}`;
  if (style === 'deepObject') {
    if (parts.kind === 'list') throw new InputError(`input.${property}: a list cannot be sent here.`);
    if (parts.entries.some(([member]) => /[[\]]/.test(member)))
      throw new InputError(`input.${property}: a name has a [ or ], which mark a name here. Remove it.`);
    const key = (member: string) => encodeURIComponent(`${parameter.name}[${member}]`);
    return parts.entries.map(([member, text]) => `${key(member)}=${encode(text)}`).join('&');
  }
  if (explode)
    return parts.kind === 'list'
      ? parts.texts.map((text) => `${name}=${encode(text)}`).join('&')
      : parts.entries.map(([member, text]) => `${encodeURIComponent(member)}=${encode(text)}`).join('&');
  const texts = listTexts(parts);
  if (style !== 'spaceDelimited' && style !== 'pipeDelimited')
    // A comma inside of an item is encoded, so that it does not separate.
    return `${name}=${texts.map((text) => encode(text).replaceAll(',', '%2C')).join(',')}`;
  const [separator, encoded, shown] = SEPARATORS[style];
  if (texts.some((text) => text.includes(separator)))
    throw new InputError(`input.${property}: an item has a ${shown}, which separates the items. Remove it.`);
  return `${name}=${texts.map(encode).join(encoded)}`;
}

/**
 * Returns a value as a header; null for an empty list or object.
 * @throws InputError if it cannot be sent there
 */
export function serializeInHeader(parameter: RequestParameter, value: unknown): string | null {
  const { property, explode } = parameter;
  const parts = toParts(parameter, value);
  if (isEmpty(parts)) return null;
  let text: string;
  if (parts.kind === 'one') text = parts.text;
  else {
    const texts = listTexts(parts);
    // Headers have no encoding, and recipients drop empty items and spaces around them.
    if (texts.some((item) => item === '' || item.includes(',') || OUTER_SPACE.test(item)))
      throw new InputError(
        `input.${property}: an item of a list in a header has a comma or a space at its ends, or is empty. Remove it.`,
      );
    const isPair = parts.kind === 'members' && explode;
    if (isPair && parts.entries.some(([member]) => member.includes('=')))
      throw new InputError(`input.${property}: a name has a =, which ends the name. Remove it.`);
    text = isPair ? parts.entries.map((pair) => pair.join('=')).join(',') : texts.join(',');
  }
  if (!HEADER_VALUE.test(text))
    throw new InputError(`input.${property}: only printable ASCII characters can be sent in a header.`);
  if (OUTER_SPACE.test(text))
    throw new InputError(`input.${property}: has a space at its ends, which a header loses. Remove it.`);
  return text;
}

function toParts(parameter: RequestParameter, value: unknown): Parts {
  const { property, style } = parameter;
  if (style === 'json') return { kind: 'one', text: toJson(parameter, value) };
  if (Array.isArray(value))
    return { kind: 'list', texts: value.map((item, i) => toText(`${property}.${i}`, item)) };
  if (typeof value !== 'object' || value === null || style === undefined)
    return { kind: 'one', text: toText(property, value) };
  const given = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return {
    kind: 'members',
    entries: given.map(([member, item]) => [member, toText(`${property}.${member}`, item)]),
  };
}

function toText(path: string, value: unknown): string {
  if (typeof value !== 'object') return String(value);
  const what = value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  throw new InputError(`input.${path}: ${what} cannot be sent here.`);
}

/** In a header as ASCII, which JSON allows for every text. */
function toJson({ in: place }: RequestParameter, value: unknown): string {
  const json = writeNumberTexts(JSON.stringify(value));
  if (place !== 'header') return json;
  return json.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isEmpty(parts: Parts): boolean {
  return parts.kind !== 'one' && listTexts(parts).length === 0;
}

/** The items of a list, or the names and values of an object; none of a single value. */
function listTexts(parts: Parts): string[] {
  if (parts.kind === 'one') return [];
  return parts.kind === 'list' ? parts.texts : parts.entries.flat();
}

function encodeEntries({ entries }: Parts & { kind: 'members' }): [string, string][] {
  return entries.map(([member, text]) => [encodeURIComponent(member), encodeURIComponent(text)]);
}

/** Encodes each part before joining, so that a separator inside of a part does not separate. */
function joinParts(parts: Parts, separator: string, explode: boolean): string {
  if (parts.kind === 'one') return encodeURIComponent(parts.text);
  if (parts.kind === 'list') return parts.texts.map(encodeURIComponent).join(separator);
  const entries = encodeEntries(parts);
  return (explode ? entries.map((pair) => pair.join('=')) : entries.flat()).join(separator);
}

function encodeInQuery(text: string, allowReserved: boolean): string {
  const encoded = encodeURIComponent(text);
  return allowReserved ? encoded.replace(SAFE_RESERVED, (code) => decodeURIComponent(code)) : encoded;
}

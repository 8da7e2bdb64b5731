import { cleanLine, cleanText } from '../../kit/clean-text';
import type { ParameterStyle, RequestParameter } from './definition';
import { isNode, type Node, resolveReference, type SchemaExtractor, Unusable } from './openapi-schema';

const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_PARAMETERS = 60;
/** Headers of the gateway's own request, which a document must not set. */
const RESERVED_HEADERS = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Header parameters that OpenAPI ignores. */
const IGNORED_HEADERS = new Set(['accept', 'authorization', 'content-type']);
/** A name as in HTTP (RFC 9110, section 5.1). */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
/** Of each place; the first is the default. */
const STYLES = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
} as const satisfies Record<RequestParameter['in'], readonly ParameterStyle[]>;
/** Schemas in `allOf`, `anyOf` and `oneOf` among which an object is searched. */
const MAX_COMBINED = 100;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** What a document's operation becomes part of. */
export interface InputParts {
  properties: Map<string, unknown>;
  required: string[];
  /** What is left out of the skill, for the operator. */
  warnings: string[];
}

/**
 * Adds an operation's parameters to its input.
 * @throws Unusable if it needs one that cannot be sent
 */
export function readParameters(
  document: Node,
  given: readonly unknown[],
  taken: SchemaExtractor,
  { properties, required, warnings }: InputParts,
): RequestParameter[] {
  const byName = new Map<string, Node>();
  for (const item of given) {
    const parameter = resolveReference(document, item);
    byName.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter);
  }
  if (byName.size > MAX_PARAMETERS) throw new Unusable(`It has more than ${MAX_PARAMETERS} parameters.`);
  return [...byName.values()].flatMap((parameter): RequestParameter[] => {
    const isRequired = parameter.required === true || parameter.in === 'path';
    const read = readParameter(document, parameter);
    if (typeof read === 'string') {
      if (isRequired) throw new Unusable(read);
      if (!isIgnored(parameter)) warnings.push(`${read} This optional parameter is left out.`);
      return [];
    }
    const { schema, ...request } = read;
    let property = request.name;
    while (properties.has(property)) property = `${request.in}_${property}`;
    const described = cleanText(parameter.description, MAX_DESCRIPTION_CHARS);
    const made = taken.extract(schema);
    properties.set(property, described && isNode(made) ? { description: described, ...made } : made);
    if (isRequired) required.push(property);
    return [{ property, ...request }];
  });
}

type ReadParameter = Omit<RequestParameter, 'property'> & { schema: unknown };

/** Returns how a parameter is sent; or why it cannot be. */
function readParameter(document: Node, parameter: Node): ReadParameter | string {
  const { name, in: place } = parameter;
  if (typeof name !== 'string' || name === '' || name === '__proto__') return 'A parameter has no name.';
  const shown = cleanLine(name, 64);
  if (place === 'cookie') return `It takes ${shown} in a cookie; cookies are never sent.`;
  if (place !== 'path' && place !== 'query' && place !== 'header')
    return `It takes ${shown} in an unknown place (${cleanLine(place, 20)}).`;
  if (place === 'header' && (!HEADER_NAME.test(name) || RESERVED_HEADERS.has(name.toLowerCase())))
    return `It takes the header ${shown}, which a document cannot set.`;
  // Recorded as in earlier releases, because approved definitions are compared with it.
  const explode = parameter.explode !== false;
  if (parameter.schema === undefined && isNode(parameter.content)) {
    const [[type, media] = ['', null], ...more] = Object.entries(parameter.content);
    if (!isNode(media) || more.length > 0 || !JSON_TYPE.test(type))
      return `It takes ${shown} in a format other than JSON (${cleanLine(type, 40)}).`;
    return { name, in: place, explode, style: 'json', schema: media.schema ?? {} };
  }
  const { schema } = parameter;
  if (!isNode(schema)) return `It takes ${shown} without a schema.`;
  const [usual] = STYLES[place];
  const style = STYLES[place].find((known) => known === (parameter.style ?? usual));
  if (style === undefined)
    return `It takes ${shown} in the unsupported style ${cleanLine(String(parameter.style), 20)}.`;
  const types = [resolveReference(document, schema).type].flat();
  if (style === 'deepObject' && types.every((type) => type === 'array' || type === 'null'))
    return `It takes the list ${shown} in the style deepObject, which OpenAPI does not define.`;
  const reserved = place === 'query' && parameter.allowReserved === true && { allowReserved: true as const };
  if (style === usual && !mayBeObject(document, schema))
    return { name, in: place, explode, ...reserved, schema };
  const isExploded = style === 'form' ? explode : parameter.explode === true;
  return { name, in: place, explode: isExploded, style, ...reserved, schema };
}

function isIgnored({ name, in: place }: Node): boolean {
  return place === 'header' && IGNORED_HEADERS.has(String(name).toLowerCase());
}

/** Visits each schema once: combinations may refer to each other in any number of ways. */
function mayBeObject(document: Node, given: Node): boolean {
  const found = new Set([resolveReference(document, given)]);
  // The set grows while it is read.
  for (const schema of found) {
    if ([schema.type].flat().includes('object') || isNode(schema.properties)) return true;
    for (const list of [schema.allOf, schema.anyOf, schema.oneOf])
      for (const item of Array.isArray(list) ? list.slice(0, MAX_COMBINED) : [])
        if (isNode(item) && found.size < MAX_COMBINED) found.add(resolveReference(document, item));
  }
  return false;
}

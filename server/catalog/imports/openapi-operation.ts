import { cleanLine, cleanText, toTitle } from '../../kit/clean-text';
import type { JsonSchema } from '../../tools/sdk/define-tool';
import { checkSchema } from './check-schema';
import type { FormEncoding, OperationRequest, PinnedSkill } from './definition';
import { type InputParts, readParameters } from './openapi-parameters';
import { isNode, type Node, resolveReference, SchemaExtractor, Unusable } from './openapi-schema';

const MAX_TITLE_CHARS = 80;
const MAX_DESCRIPTION_CHARS = 2_000;
const FORM_STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;

export interface Operation {
  upstream: string;
  method: string;
  path: string;
  /** The operation object; `parameters` has those of its path before its own. */
  node: Node;
  parameters: unknown[];
  /** The credential it needs; null if none. */
  scheme: string | null;
  /** Its server, if it is not the tool's; of the same origin. */
  server: string | undefined;
}

/** A skill, and what it does not offer of its operation. */
export interface ReadOperation {
  skill: PinnedSkill;
  warnings: string[];
}

/**
 * Converts an operation to a skill.
 * @throws Unusable with the reason, for the operator
 */
export function readOperation(document: Node, isOld: boolean, operation: Operation): ReadOperation {
  const { upstream, method, node, scheme, server } = operation;
  // Documents tell operations of one path apart by a fragment, which is not sent, or a fixed query.
  const path = operation.path.replace(/#.*$/s, '');
  if (/\?.*[?{}]/s.test(path)) throw new Unusable('The query in its path is not a fixed one.');
  const taken = new SchemaExtractor(document, isOld);
  const parts: InputParts = { properties: new Map(), required: [], warnings: [] };
  const { properties, required, warnings } = parts;
  const parameters = readParameters(document, operation.parameters, taken, parts);
  for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g))
    if (!parameters.some((parameter) => parameter.in === 'path' && parameter.name === name))
      throw new Unusable(`Its path has {${name}}, but no parameter has this name.`);
  const body = readBody(document, node, taken, parts);
  for (const pattern of taken.leftOut)
    warnings.push(
      `The pattern ${cleanLine(pattern, MAX_TITLE_CHARS)} is not one of JSON Schema; only the upstream checks it.`,
    );
  const input = checkSchema(
    {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required: [...new Set(required)] }),
      ...(!body.isOpen && { additionalProperties: false }),
      ...(taken.definitions && { $defs: taken.definitions }),
    },
    'input',
  );
  if (!input.ok) throw new Unusable(input.reason);
  const summary = cleanLine(node.summary, MAX_TITLE_CHARS);
  const request: OperationRequest = {
    method,
    path,
    parameters,
    body: body.kind,
    bodyRequired: body.required,
    ...(body.form && { form: body.form }),
    scheme,
    ...(server !== undefined && { server }),
  };
  const skill: PinnedSkill = {
    upstream,
    title:
      summary || toTitle(typeof node.operationId === 'string' ? upstream : `${method} ${operation.path}`),
    description: cleanText(node.description, MAX_DESCRIPTION_CHARS) || summary,
    input: input.schema,
    output: readOutput(document, isOld, node),
    annotations: inferAnnotations(method),
    request,
  };
  return { skill, warnings };
}

interface Body {
  kind: OperationRequest['body'];
  required: boolean;
  /** Whether properties that the schema does not name are sent too. */
  isOpen: boolean;
  form?: Record<string, FormEncoding>;
}

const NO_BODY: Body = { kind: 'none', required: false, isOpen: false };

function readBody(
  document: Node,
  node: Node,
  taken: SchemaExtractor,
  { properties, required, warnings }: InputParts,
): Body {
  if (node.requestBody === undefined) return NO_BODY;
  const body = resolveReference(document, node.requestBody);
  const isRequired = body.required === true;
  const json = jsonSchemaIn(body.content);
  const form = json === undefined ? findForm(document, body.content) : undefined;
  const schema = json ?? form?.schema;
  if (form && Object.keys(form.schema.properties as Node).length === 0) return NO_BODY;
  if (schema === undefined) {
    const types = isNode(body.content) ? Object.keys(body.content).join(', ') : 'unknown type';
    const problem = `Its body is neither JSON nor a form of plain fields (${cleanLine(types, 80)}).`;
    if (isRequired) throw new Unusable(problem);
    warnings.push(`${problem} This optional body is left out.`);
    return NO_BODY;
  }
  const whole = isNode(schema) ? resolveReference(document, schema) : null;
  const fields = whole && isPlainObject(whole) ? Object.keys(whole.properties as Node) : [];
  if (whole && fields.length > 0 && !fields.some((field) => properties.has(field))) {
    const made = taken.extract(whole) as Node;
    for (const [name, field] of Object.entries(made.properties as Node)) properties.set(name, field);
    if (isRequired && Array.isArray(made.required))
      required.push(...made.required.filter((name) => typeof name === 'string'));
    const isOpen = form ? whole.additionalProperties === true : whole.additionalProperties !== false;
    return { kind: 'fields', required: isRequired, isOpen, ...(form && { form: form.encodings }) };
  }
  const property = 'body';
  if (properties.has(property))
    throw new Unusable('It takes a parameter named body in addition to its body.');
  properties.set(property, taken.extract(schema));
  if (isRequired) required.push(property);
  return { kind: 'nested', required: isRequired, isOpen: false, ...(form && { form: form.encodings }) };
}

/** Returns the fields of a form and how each is sent; undefined if there is no such form. */
function findForm(
  document: Node,
  content: unknown,
): { schema: Node; encodings: Record<string, FormEncoding> } | undefined {
  const media = isNode(content) ? content['application/x-www-form-urlencoded'] : undefined;
  if (!isNode(media) || !isNode(media.schema)) return undefined;
  const schema = resolveReference(document, media.schema);
  if (!isPlainObject(schema)) return undefined;
  const given = Object.entries(isNode(media.encoding) ? media.encoding : {});
  const encodings = given.flatMap(([name, encoding]): [string, FormEncoding][] => {
    if (!isNode(encoding)) return [];
    const style = FORM_STYLES.find((known) => known === encoding.style);
    if (style === undefined && encoding.explode === undefined) return [];
    const isForm = style === undefined || style === 'form';
    const explode = isForm ? encoding.explode !== false : encoding.explode === true;
    return [[name, { style: style ?? 'form', explode }]];
  });
  return { schema, encodings: Object.fromEntries(encodings) };
}

/**
 * Whether the body's properties can be merged with the parameters: the schema has no keyword about
 * the object as a whole.
 */
function isPlainObject(schema: Node): boolean {
  const { type, properties, additionalProperties } = schema;
  const combined = [
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'patternProperties',
    'minProperties',
    'dependentSchemas',
  ];
  return (
    (type === 'object' || type === undefined) &&
    isNode(properties) &&
    schema.nullable !== true &&
    (additionalProperties === undefined || typeof additionalProperties === 'boolean') &&
    !combined.some((keyword) => schema[keyword] !== undefined)
  );
}

function jsonSchemaIn(content: unknown): unknown {
  if (!isNode(content)) return undefined;
  for (const [type, media] of Object.entries(content))
    if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type) && isNode(media)) return media.schema ?? {};
  return undefined;
}

/**
 * Returns the schema of the success response; null if there is none, more than one, or one that
 * cannot be used.
 */
function readOutput(document: Node, isOld: boolean, node: Node): JsonSchema | null {
  try {
    const responses = isNode(node.responses) ? node.responses : {};
    const good = Object.entries(responses).filter(([status]) => /^2(\d\d|XX)$/i.test(status));
    if (good.length !== 1) return null;
    const schema = jsonSchemaIn(resolveReference(document, good[0]?.[1]).content);
    if (!isNode(schema) || Object.keys(schema).length === 0) return null;
    const whole = resolveReference(document, schema);
    const taken = new SchemaExtractor(document, isOld);
    const isObject = whole.nullable !== true && (whole.type === 'object' || isNode(whole.properties));
    if (!isObject && whole.type === undefined) return null;
    const made = isObject
      ? (taken.extract(whole) as Node)
      : { type: 'object', properties: { data: taken.extract(schema) }, required: ['data'] };
    const checked = checkSchema(
      { ...made, ...(taken.definitions && { $defs: taken.definitions }) },
      'output',
    );
    return checked.ok ? checked.schema : null;
  } catch (error) {
    if (error instanceof Unusable) return null;
    throw error;
  }
}

function inferAnnotations(method: string): PinnedSkill['annotations'] {
  const readOnly = method === 'GET' || method === 'HEAD';
  return {
    readOnly,
    idempotent: readOnly || method === 'PUT' || method === 'DELETE',
    destructive: method === 'DELETE' || method === 'PUT' || method === 'PATCH',
  };
}

import { generateOpenApiDocument } from 'trpc-to-openapi';
import { ERRORS, type ErrorCode } from '../../core/errors/catalogue';
import { errorBodySchema } from '../../core/errors/schema';
import { DEPRECATIONS, type Deprecation, type Deprecations } from '../../core/versions/deprecations';
import { paymentProblemSchema } from '../../money/top-ups/schema';
import { collectRoutes, type Route } from '../http/routes';
import { appRouter } from '../root';
import { describeDownload, describeUpload } from './openapi-assets';
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from './openapi-examples';
import { DEPRECATION_HEADERS, headerRefs, RATE_LIMIT_HEADERS, RESPONSE_HEADERS } from './openapi-headers';
import { describePayments, PAYMENT_SCHEME } from './openapi-payments';
import { EVENT_STREAM, headerParameters, PROVIDER_KEY_PARAMETERS } from './openapi-requests';

type Json = Record<string, unknown>;
interface Operation extends Json {
  responses: Record<string, Json>;
  parameters?: Json[];
  requestBody?: { required?: boolean; content: Record<string, Json> };
}

interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
  info: Json;
  components: { schemas: Record<string, Json>; headers?: Json; parameters?: Json };
}

const DESCRIPTION = `One gateway through which agents find tools, call them, and pay per use from prepaid credit.

1. \`POST /v1/auth/provision\` gives you a key without signing up.
2. \`GET /v1/tools/search?q=…\` finds a tool; \`GET /v1/tools/{tool}\` tells its skills, schemas and prices.
3. \`POST /v1/tools/call\` runs a skill and tells what it cost. A call that fails costs nothing.
4. What takes longer than 30 seconds is answered 202 with a \`poll_url\`: \`GET\` it until \`status\` is completed, failed or cancelled.
5. Send an \`Idempotency-Key\` with every call you may have to repeat: it runs and is charged once.

Every failure has the same shape, but for the 402 of a machine top-up: branch on \`error.code\`, do what \`error.resolution_hint\` says. Money is US dollars, times are ISO 8601 in UTC. Unknown fields in a body are ignored; nothing is coerced.`;

const TAGS: Record<string, string> = {
  Tools: 'Find tools and read what they do. No key needed.',
  Calls: 'Run skills: one, many at once, or with the events as they come.',
  Jobs: 'What became of a call that outlived its request; stop it.',
  Assets: 'Files: upload them for tools, download what tools made.',
  Accounts: 'Get a key without signing up, and hand it to a person.',
  Keys: 'Make, limit and revoke API keys.',
  Billing: 'What can be spent.',
  Usage: 'What was called and what it cost.',
  Reviews: 'Rate tools.',
  Requirements: 'Provider keys that tools can use: your own make calls cost 5 %.',
};

/** Codes that any route may answer with, beside its own. */
const EVERYWHERE: readonly ErrorCode[] = ['INTERNAL', 'UNAVAILABLE'];
/** Of routes that honour an Idempotency-Key. */
const IDEMPOTENT: readonly ErrorCode[] = ['INVALID_INPUT', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'];
/** Of routes that take a key: too many wrong ones. */
const KEYED: readonly ErrorCode[] = ['RATE_LIMIT_EXCEEDED'];
/** Of routes whose answers have an ETag. */
const VALIDATED: readonly ErrorCode[] = ['PRECONDITION_FAILED'];
const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

let rendered: string | undefined;

/**
 * The OpenAPI 3.1 document as it is served: the committed one, with the address of this gateway as
 * its server.
 * @param baseUrl origin of this gateway, so that a saved copy still leads to it
 */
export function servedOpenApiJson(baseUrl: string, deprecations: Deprecations = DEPRECATIONS): string {
  // raises nothing: it is our own text
  const document = JSON.parse(openApiJson(deprecations)) as Json;
  document.servers = [{ url: baseUrl, description: 'This gateway' }];
  return print(document);
}

/**
 * The OpenAPI 3.1 document as it is committed: generated from the procedures, the same for every
 * gateway.
 * @param deprecations another table than ours, in tests
 */
export function openApiJson(deprecations: Deprecations = DEPRECATIONS): string {
  if (deprecations !== DEPRECATIONS) return render(deprecations);
  rendered ??= render(deprecations);
  return rendered;
}

function render(deprecations: Deprecations): string {
  return print(buildDocument(deprecations));
}

function print(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function buildDocument(deprecations: Deprecations): Json {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Tool Gateway',
    description: DESCRIPTION,
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl: '/',
    tags: [],
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'tg_live_…',
        description: 'An API key, from POST /v1/auth/provision or the dashboard.',
      },
      payment: PAYMENT_SCHEME,
    },
    defs: { Error: errorBodySchema, PaymentProblem: paymentProblemSchema },
  }) as unknown as Document;
  // The generator's own error shapes; ours is in their place.
  for (const name of Object.keys(document.components.schemas))
    if (name.startsWith('error.')) delete document.components.schemas[name];
  document.info = {
    ...document.info,
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operator of this gateway' },
  };
  document.components.headers = RESPONSE_HEADERS;
  document.components.parameters = PROVIDER_KEY_PARAMETERS;
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  for (const route of collectRoutes()) {
    const operation = document.paths[route.template]?.[route.method.toLowerCase()];
    if (!operation) throw new Error(`The document lacks ${route.method} ${route.template}`);
    finish(document, operation, route);
    const deprecation = deprecations.routes[`${route.method} ${route.template}`];
    if (deprecation) describeDeprecation(operation, deprecation);
  }
  return document;
}

/**
 * What the generator cannot know: our statuses, the Error shape, headers, examples, whether a key
 * is needed.
 */
function finish(document: Document, operation: Operation, route: Route): void {
  const id = `${route.method} ${route.template}`;
  operation.security = route.needsKey ? [{ apiKey: [] }] : [];
  const { 200: ok } = operation.responses;
  const success = String(route.rest.successStatus ?? 200);
  const example = RESPONSE_EXAMPLES[id];
  operation.responses = { [success]: describeSuccess(ok as Json, route, example) };
  if (route.name === 'calls.run') operation.responses['202'] = becameJob(ok as Json);
  for (const [status, response] of Object.entries(errorResponses(route)))
    operation.responses[status] = response;
  if (route.rest.discovery)
    operation.responses['304'] = { description: 'Not changed since the ETag in If-None-Match.' };
  operation.parameters = [...(operation.parameters ?? []).map(describeParameter), ...headerParameters(route)];
  if (operation.parameters.length === 0) delete operation.parameters;
  if (route.rest.payable) describePayments(operation);
  if (route.rest.upload) describeUpload(operation);
  if (route.rest.download) describeDownload(operation);
  const request = REQUEST_EXAMPLES[id];
  const json = operation.requestBody?.content['application/json'];
  if (json && request) json.examples = request;
  if (json) nameRequest(document, operation, json);
  if (operation.requestBody && route.name === 'keys.create') operation.requestBody.required = false;
}

/** The generator leaves the description on the schema, where readers of parameters do not look. */
function describeParameter(parameter: Json): Json {
  const { description, ...schema } = parameter.schema as Json;
  if (parameter.description === undefined && description === undefined)
    throw new Error(`The document lacks a description of the parameter ${parameter.name}`);
  return { ...parameter, description: parameter.description ?? description, schema };
}

/** Every answer of a deprecated route says so. */
function describeDeprecation(operation: Operation, { since, sunset, replacement, link }: Deprecation): void {
  const words = [
    `Deprecated since ${since.slice(0, 10)}.`,
    sunset === undefined ? '' : `It may stop on ${sunset.slice(0, 10)}.`,
    replacement === undefined ? '' : `Use \`${replacement}\` instead.`,
    `See ${link}.`,
  ];
  operation.deprecated = true;
  // What the comparison of documents goes by: a route may be gone after it (oasdiff's name).
  if (sunset !== undefined) operation['x-sunset'] = sunset;
  operation.description = [operation.description, words.filter(Boolean).join(' ')]
    .filter(Boolean)
    .join('\n\n');
  for (const response of Object.values(operation.responses))
    response.headers = { ...(response.headers as Json), ...headerRefs(...DEPRECATION_HEADERS) };
}

/** The generator writes request bodies in place; a client generator wants each to have a name. */
function nameRequest(document: Document, operation: Operation, json: Json): void {
  const id = operation.operationId as string;
  const name = `${id[0]?.toUpperCase()}${id.slice(1)}Request`;
  document.components.schemas[name] = json.schema as Json;
  json.schema = { $ref: `#/components/schemas/${name}` };
}

function describeSuccess(response: Json, route: Route, example: unknown): Json {
  const content = (response.content as Record<string, Json> | undefined)?.['application/json'];
  if (content && example !== undefined) content.examples = example;
  if (route.rest.streams) (response.content as Json)['text/event-stream'] = EVENT_STREAM;
  return {
    ...response,
    description: route.rest.successStatus === 201 ? 'Created.' : 'Success.',
    headers: headerRefs(
      'X-Request-Id',
      ...(saysLimits(route) ? RATE_LIMIT_HEADERS : []),
      ...(route.rest.discovery ? (['ETag'] as const) : []),
      ...(route.rest.idempotent ? (['Idempotent-Replayed'] as const) : []),
      ...(route.rest.prefer ? (['Preference-Applied'] as const) : []),
      ...(namesTool(route) ? DEPRECATION_HEADERS : []),
    ),
  };
}

/** Whether its answers say where a limit stands. */
function saysLimits({ name, rest }: Route): boolean {
  return rest.rateLimited === true || rest.publicAssets === true || name === 'auth.provision';
}

/** Its answers are of one tool, which may be deprecated. */
function namesTool({ name, params }: Route): boolean {
  return name === 'calls.run' || params.includes('tool');
}

/** Part of the contract of v1: a call that runs 30 seconds or longer may be answered so. */
function becameJob(ok: Json): Json {
  const { content } = ok as { content: Record<string, Json> };
  return {
    description:
      'The call still runs and has become a job: status is `pending`, and poll_url tells how it ends.',
    headers: headerRefs(
      'X-Request-Id',
      ...RATE_LIMIT_HEADERS,
      'Location',
      'Idempotent-Replayed',
      'Preference-Applied',
    ),
    content: { 'application/json': { schema: content['application/json']?.schema } },
  };
}

function errorResponses(route: Route): Record<string, Json> {
  const hasBody = route.rest.upload || (route.hasInput && ['POST', 'PUT', 'PATCH'].includes(route.method));
  const idempotent = route.rest.idempotent ? IDEMPOTENT : [];
  const keyed = route.rest.errors.includes('AUTH_FAILED') ? KEYED : [];
  const validated = route.rest.discovery ? VALIDATED : [];
  const codes = new Set([
    ...route.rest.errors,
    ...idempotent,
    ...keyed,
    ...validated,
    ...(hasBody ? WITH_BODY : []),
    ...EVERYWHERE,
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, Json> = {};
  for (const [status, list] of [...byStatus].sort(([a], [b]) => a - b))
    responses[status] = {
      description: list.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join(' '),
      headers: headerRefs(
        'X-Request-Id',
        ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
        ...(status === 429 ? RATE_LIMIT_HEADERS : []),
        ...(status === 416 ? (['Content-Range'] as const) : []),
        ...(status === 409 && route.rest.idempotent ? (['Retry-After'] as const) : []),
        ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
      ),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(list.map((code) => [code, { value: errorExample(code) }])),
        },
      },
    };
  return responses;
}

function errorExample(code: ErrorCode): Json {
  const { type, message, hint } = ERRORS[code];
  return {
    status: 'error',
    error: {
      code,
      message,
      type,
      resolution_hint: hint,
      doc_url: `https://gateway.example.com/docs/errors#${code}`,
      request_id: 'req_01kp9vx3zq…',
    },
  };
}

import { generateOpenApiDocument } from 'trpc-to-openapi';
import { ERRORS, type ErrorCode } from '../../core/errors/catalogue';
import { wordHint } from '../../core/errors/hint';
import { errorBodySchema } from '../../core/errors/schema';
import { DEPRECATIONS, type Deprecation, type Deprecations } from '../../core/versions/deprecations';
import { paymentProblemSchema } from '../../money/top-ups/schema';
import { collectRoutes, type Route } from '../http/routes';
import { appRouter } from '../root';
import { describeDownload, describeUpload } from './openapi-assets';
import { describeEvents, EVENT_STREAM } from './openapi-events';
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from './openapi-examples';
import { DEPRECATION_HEADERS, headerRefs, RATE_LIMIT_HEADERS, RESPONSE_HEADERS } from './openapi-headers';
import { describePayments, describePayPerCall, PAYMENT_SCHEME } from './openapi-payments';
import { headerParameters, PROVIDER_KEY_PARAMETERS } from './openapi-requests';

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

1. \`POST /v1/auth/provision\` returns a key without sign-up.
2. \`GET /v1/tools/search?q=…\` finds a tool; \`GET /v1/tools/{tool}\` returns its skills, schemas and prices.
3. \`POST /v1/tools/call\` runs a skill and returns its cost. A call that fails costs nothing.
4. A call that takes longer than 30 seconds is answered 202 with a \`poll_url\`: poll it with \`GET\` until \`status\` is completed, failed or cancelled.
5. Send an \`Idempotency-Key\` with every call you may have to retry: it runs and is charged once.

All failures have the same shape, except the 402 of a machine top-up: branch on \`error.code\` and follow \`error.resolution_hint\`. Money is US dollars, times are ISO 8601 in UTC. A body with an unknown field is refused, and nothing is coerced.`;

const TAGS: Record<string, string> = {
  Tools: 'Find tools and read what they do. No key needed.',
  Calls: 'Run skills: one, many at once, or with streamed events.',
  Jobs: 'Poll, follow or cancel calls that outlived their request.',
  Webhooks: 'Get the events of the account sent to a URL.',
  Assets: 'Files: upload them for tools, download what tools made.',
  Accounts: 'Get a key without sign-up; a person can claim it.',
  Keys: 'Create, limit and revoke API keys.',
  Billing: 'Read the balance, add credit and set preferences.',
  Usage: 'What was called and what it cost.',
  Reviews: 'Rate tools.',
  Requirements: 'Bring your own provider keys (BYOK): calls with them cost 5% of their price.',
};

/** Codes that any route may answer with. */
const EVERYWHERE: readonly ErrorCode[] = ['INTERNAL', 'UNAVAILABLE'];
/** Codes of routes that honour an Idempotency-Key. */
const IDEMPOTENT: readonly ErrorCode[] = ['INVALID_INPUT', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'];
/** Codes of routes that take a key: too many failed attempts. */
const KEYED: readonly ErrorCode[] = ['RATE_LIMIT_EXCEEDED', 'IP_NOT_ALLOWED'];
/** Codes of routes with an ETag. */
const VALIDATED: readonly ErrorCode[] = ['PRECONDITION_FAILED'];
const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** The generated servers, the first of the document. */
const SERVERS = '"servers":[{"url":"/"}]';

let rendered: string | undefined;
let minified: string | undefined;

/**
 * The OpenAPI 3.1 document as served: the committed one without indentation, with this gateway as
 * its server.
 * @param baseUrl origin of this gateway, so that a saved copy still points to it
 */
export function servedOpenApiJson(baseUrl: string, deprecations: Deprecations = DEPRECATIONS): string {
  const servers = JSON.stringify([{ url: baseUrl, description: 'This gateway' }]);
  // Replaced in the text: parsing and printing it takes 30 ms.
  return minifiedOpenApiJson(deprecations).replace(SERVERS, () => `"servers":${servers}`);
}

/** Without indentation, made once for the deprecations of the product. */
function minifiedOpenApiJson(deprecations: Deprecations): string {
  if (deprecations === DEPRECATIONS && minified !== undefined) return minified;
  // Cannot throw: it is our own text.
  const text = JSON.stringify(JSON.parse(openApiJson(deprecations)));
  if (deprecations === DEPRECATIONS) minified = text;
  return text;
}

/**
 * The committed OpenAPI 3.1 document: generated from the procedures, the same for every gateway.
 * @param deprecations replaces our table in tests
 */
export function openApiJson(deprecations: Deprecations = DEPRECATIONS): string {
  if (deprecations !== DEPRECATIONS) return render(deprecations);
  rendered ??= render(deprecations);
  return rendered;
}

function render(deprecations: Deprecations): string {
  return `${JSON.stringify(buildDocument(deprecations), null, 2)}\n`;
}

function buildDocument(deprecations: Deprecations): Json {
  // The types of OpenAPI 3.1 allow a reference almost everywhere; the generator writes none there.
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
  // The generator's own error shapes; ours replaces them.
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
    completeOperation(document, operation, route);
    const deprecation = deprecations.routes[`${route.method} ${route.template}`];
    if (deprecation) describeDeprecation(operation, deprecation);
  }
  return document;
}

/**
 * Adds what the generator cannot know: statuses, the Error shape, headers, examples and security.
 */
function completeOperation(document: Document, operation: Operation, route: Route): void {
  const id = `${route.method} ${route.template}`;
  operation.security = route.needsKey ? [{ apiKey: [] }] : [];
  const { 200: ok } = operation.responses;
  const success = String(route.rest.successStatus ?? 200);
  const example = RESPONSE_EXAMPLES[id];
  operation.responses = { [success]: describeSuccess(ok as Json, route, example) };
  if (route.name === 'calls.run') operation.responses['202'] = describePendingJob(ok as Json);
  for (const [status, response] of Object.entries(errorResponses(route)))
    operation.responses[status] = response;
  if (route.rest.discovery)
    operation.responses['304'] = { description: 'Not changed since the ETag in If-None-Match.' };
  operation.parameters = [...(operation.parameters ?? []).map(describeParameter), ...headerParameters(route)];
  if (operation.parameters.length === 0) delete operation.parameters;
  if (route.rest.payable) describePayments(operation);
  if (route.rest.payPerCall) describePayPerCall(operation);
  if (route.rest.upload) describeUpload(operation);
  if (route.rest.download) describeDownload(operation);
  if (route.rest.events) describeEvents(operation);
  const request = REQUEST_EXAMPLES[id];
  const json = operation.requestBody?.content['application/json'];
  if (json && request) json.examples = request;
  if (json) nameRequest(document, operation, json);
  if (operation.requestBody && route.name === 'keys.create') operation.requestBody.required = false;
}

/** Moves the description from the schema to the parameter, where readers look for it. */
function describeParameter(parameter: Json): Json {
  const { description, ...schema } = parameter.schema as Json;
  if (parameter.description === undefined && description === undefined)
    throw new Error(`The document lacks a description of the parameter ${parameter.name}`);
  return { ...parameter, description: parameter.description ?? description, schema };
}

/** Adds the deprecation to an operation and its headers to every response. */
function describeDeprecation(operation: Operation, { since, sunset, replacement, link }: Deprecation): void {
  const words = [
    `Deprecated since ${since.slice(0, 10)}.`,
    sunset === undefined ? '' : `It may stop on ${sunset.slice(0, 10)}.`,
    replacement === undefined ? '' : `Use \`${replacement}\` instead.`,
    `See ${link}.`,
  ];
  operation.deprecated = true;
  // oasdiff's name for the date after which a route may be removed.
  if (sunset !== undefined) operation['x-sunset'] = sunset;
  operation.description = [operation.description, words.filter(Boolean).join(' ')]
    .filter(Boolean)
    .join('\n\n');
  for (const response of Object.values(operation.responses))
    response.headers = { ...(response.headers as Json), ...headerRefs(...DEPRECATION_HEADERS) };
}

/** Moves an inline request body to the components: client generators need it to have a name. */
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
      ...(hasRateLimitHeaders(route) ? RATE_LIMIT_HEADERS : []),
      ...(route.rest.discovery ? (['ETag'] as const) : []),
      ...(route.rest.idempotent ? (['Idempotent-Replayed'] as const) : []),
      ...(route.rest.prefer ? (['Preference-Applied'] as const) : []),
      ...(route.rest.receipt ? (['Gateway-Receipt'] as const) : []),
      ...(concernsOneTool(route) ? DEPRECATION_HEADERS : []),
    ),
  };
}

/** Whether its responses carry rate limit headers. */
function hasRateLimitHeaders({ name, rest }: Route): boolean {
  return rest.rateLimited === true || rest.publicAssets === true || name === 'auth.provision';
}

/** Whether its responses concern one tool, which may be deprecated. */
function concernsOneTool({ name, params }: Route): boolean {
  return name === 'calls.run' || params.includes('tool');
}

/** Part of the v1 contract: a call of 30 seconds or longer may be answered like this. */
function describePendingJob(ok: Json): Json {
  const { content } = ok as { content: Record<string, Json> };
  return {
    description:
      'The call still runs and has become a job: status is `pending`, and poll_url returns its result.',
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
      resolution_hint: wordHint(hint, 'rest'),
      doc_url: `https://gateway.example.com/docs/errors#${code}`,
      request_id: 'req_01kp9vx3zq…',
    },
  };
}

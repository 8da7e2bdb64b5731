import { InputError } from '../../core/errors/skill-error';
import { removeNumberMarks, writeNumberTexts } from '../../kit/number-texts';
import type { SkillResult } from '../../tools/sdk/define-tool';
import type { SkillContext } from '../../tools/sdk/skill-context';
import type { OperationRequest, PinnedSkill } from './definition';
import { MAX_FILE_BYTES, operationOutput } from './operation-output';
import { pinnedFetch } from './pinned-fetch';
import { createRequester } from './run-mcp-skill';
import { serializeForm } from './serialize-form';
import { serializeInHeader, serializeInPath, serializeInQuery } from './serialize-parameter';

type Input = Record<string, unknown>;

const ANSWER_MS = 86_400_000;
const MAX_URL_CHARS = 8_000;
const BROKEN_TEXT = /\p{Cs}/u;

/**
 * Calls an operation of an OpenAPI document.
 * @throws SkillError with a message for the caller
 */
export async function runOperation(
  context: SkillContext<Input>,
  {
    server,
    pinned,
    isSecured,
    input,
  }: { server: string; pinned: PinnedSkill; isSecured: boolean; input: Input },
): Promise<SkillResult<Record<string, unknown>>> {
  const { request } = pinned;
  if (!request) throw new Error(`${pinned.upstream} has no request`);
  const built = buildRequest(request.server ?? server, request, input);
  const { url, init } = writeNumbers(built, request.form !== undefined);
  const ask = createRequester(context, url.origin, isSecured && request.scheme !== null);
  const fetch = pinnedFetch(url.origin, ask, { maxBytes: MAX_FILE_BYTES, timeoutMs: ANSWER_MS });
  return { output: await operationOutput(await fetch(url, init), context) };
}

interface BuiltRequest {
  url: URL;
  init: RequestInit & { headers: Record<string, string> };
}

/** Writes texts that stand for numbers: as numbers in a JSON body, elsewhere as they are. */
function writeNumbers({ url, init }: BuiltRequest, isForm: boolean): BuiltRequest {
  const { headers, body } = init;
  const values = Object.entries(headers).map(([name, value]) => [name, removeNumberMarks(value)]);
  const href = removeNumberMarks(url.href);
  return {
    url: href === url.href ? url : new URL(href),
    init: {
      ...init,
      headers: Object.fromEntries(values),
      ...(typeof body === 'string' && { body: isForm ? removeNumberMarks(body) : writeNumberTexts(body) }),
    },
  };
}

/**
 * Builds the request for an input. Pure.
 * @throws InputError if a value cannot be sent in its place
 */
export function buildRequest(server: string, request: OperationRequest, input: Input): BuiltRequest {
  rejectBrokenText(input, 'input');
  const left = new Map(Object.entries(input));
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5' };
  const query: string[] = [];
  const [template = '', fixedQuery = ''] = request.path.split('?', 2);
  let path = template;
  for (const parameter of request.parameters) {
    const value = left.get(parameter.property);
    left.delete(parameter.property);
    if (parameter.in === 'path' && value !== undefined)
      path = path.replaceAll(`{${parameter.name}}`, () => serializeInPath(parameter, value));
    else if (value === undefined || value === null) continue;
    else if (parameter.in === 'header') {
      const text = serializeInHeader(parameter, value);
      if (text !== null) headers[parameter.name] = text;
    } else query.push(serializeInQuery(parameter, value));
  }
  if (path.split('/').some((segment) => /^\.{1,2}$/.test(segment)))
    throw new InputError('The input makes a part of the URL path "." or "..", which leads elsewhere.');
  const base = new URL(server);
  const prefix = base.pathname.replace(/\/$/, '');
  const url = new URL(`${prefix}${path}`, base);
  url.search = [fixedQuery, ...query].filter(Boolean).join('&');
  if (url.href.length > MAX_URL_CHARS) throw new InputError('The input is too long for a URL.');
  // A value must not change the path to one outside the API, whatever the operation's path is.
  if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`))
    throw new InputError('The input leads to a URL outside the API.');
  const body = buildBody(request, left);
  if (body !== undefined)
    headers['content-type'] = request.form ? 'application/x-www-form-urlencoded' : 'application/json';
  return { url, init: { method: request.method, headers, ...(body !== undefined && { body }) } };
}

function buildBody(request: OperationRequest, left: ReadonlyMap<string, unknown>): string | undefined {
  const { form } = request;
  if (request.body === 'nested') {
    const value = left.get('body');
    if (value === undefined) return undefined;
    return form ? serializeForm(value as Input, form) : JSON.stringify(value);
  }
  if (request.body === 'none' || (left.size === 0 && !request.bodyRequired)) return undefined;
  const fields = Object.fromEntries(left);
  return form ? serializeForm(fields, form) : JSON.stringify(fields);
}

/** @throws InputError for half of a surrogate pair, which UTF-8 cannot encode */
function rejectBrokenText(value: unknown, path: string): void {
  if (typeof value === 'string' && BROKEN_TEXT.test(value))
    throw new InputError(`${path}: has half of a surrogate pair, which is not a character. Remove it.`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    rejectBrokenText(key, path);
    rejectBrokenText(item, `${path}.${key}`);
  }
}

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
  { base, pinned, isSecured, input }: { base: URL; pinned: PinnedSkill; isSecured: boolean; input: Input },
): Promise<SkillResult<Record<string, unknown>>> {
  const { request } = pinned;
  if (!request) throw new Error(`${pinned.upstream} has no request`);
  const built = buildRequest(base, request, input);
  const { url, init } = writeNumbers(built, request.form !== undefined);
  const ask = createRequester(context, url.origin, isSecured && request.scheme !== null);
  const fetch = pinnedFetch(url.origin, ask, { maxBytes: MAX_FILE_BYTES, timeoutMs: ANSWER_MS });
  return { output: await operationOutput(await fetch(url, init), context) };
}

interface BuiltRequest {
  url: URL;
  init: { method: string; headers: Record<string, string>; body?: string };
}

/** Writes texts that stand for numbers: as numbers in a JSON body, elsewhere as they are. */
function writeNumbers({ url, init }: BuiltRequest, isForm: boolean): BuiltRequest {
  const { headers, body } = init;
  for (const [name, value] of Object.entries(headers)) headers[name] = removeNumberMarks(value);
  if (body !== undefined) init.body = isForm ? removeNumberMarks(body) : writeNumberTexts(body);
  const href = removeNumberMarks(url.href);
  return { url: href === url.href ? url : new URL(href), init };
}

/**
 * Builds the request for an input. Pure.
 * @throws InputError if a value cannot be sent in its place
 */
export function buildRequest(base: URL, request: OperationRequest, input: Input): BuiltRequest {
  rejectBrokenText(input);
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
  const prefix = base.pathname.replace(/\/$/, '');
  const url = new URL(`${prefix}${path}`, base);
  // Assigning parses the address again.
  if (fixedQuery !== '' || query.length > 0) url.search = [fixedQuery, ...query].filter(Boolean).join('&');
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
function rejectBrokenText(input: Input): void {
  const path = findBrokenText(input);
  if (path !== null)
    throw new InputError(`input${path}: has half of a surrogate pair, which is not a character. Remove it.`);
}

/** The path of such a text, put together on the way back; null if there is none. */
function findBrokenText(value: unknown): string | null {
  if (typeof value === 'string') return BROKEN_TEXT.test(value) ? '' : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (BROKEN_TEXT.test(key)) return '';
    const path = findBrokenText(item);
    if (path !== null) return `.${key}${path}`;
  }
  return null;
}

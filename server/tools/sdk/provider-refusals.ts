import { type FailureCode, SkillError } from '../../core/errors/skill-error';
import { attributeText } from '../../kit/attribute-text';
import { parseJson } from '../../kit/parse-json';
import { findProvider } from '../../platform/settings/providers';
import type { ProviderClient } from './skill-context';

const MAX_QUOTED_CHARS = 200;
/** Longer waits are reported to the caller as an error. */
export const MAX_WAIT_SECONDS = 20;

/** Statuses by which providers reject the input: too long, invalid, or against their rules. */
const INPUT_STATUSES: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** A failure at a provider, with a message for the caller. */
export class ProviderFailure extends SkillError {}

/** The meaning of a provider's response with status 300 and above. */
export interface Refusal {
  /**
   * `limited`: not done; retry after a wait. `failed`: the provider's fault, possibly done.
   * `final`: a retry would fail again.
   */
  readonly kind: 'limited' | 'failed' | 'final';
  readonly error: ProviderFailure;
  /** From Retry-After, if the provider sends it. */
  readonly retryAfterSeconds: number | undefined;
}

/** Returns the name of a provider for messages. */
export function providerName({ slot }: ProviderClient): string {
  return findProvider(slot)?.displayName ?? slot;
}

/**
 * Classifies a failed response. Quotes the provider's message if it helps, without secrets.
 * @param body the beginning of the response body, as text
 */
export function readRefusal(provider: ProviderClient, response: Response, body: string): Refusal {
  const name = providerName(provider);
  const { status } = response;
  const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'));
  const final = (message: string, failure?: FailureCode): Refusal => ({
    kind: 'final',
    error: new ProviderFailure(message, { failure }),
    retryAfterSeconds,
  });
  if (isOutOfCredit(status, body)) return final(outOfCredit(provider, name));
  if (status === 401 || status === 403) return final(badKey(provider, name, status));
  if (status === 429) {
    const when = retryAfterSeconds === undefined ? 'in a minute' : `in ${retryAfterSeconds} seconds`;
    const error = new ProviderFailure(`${name} is rate limiting requests (429). Try again ${when}.`);
    return { kind: 'limited', error, retryAfterSeconds };
  }
  if (status >= 500) {
    const error = new ProviderFailure(
      `${name} failed (${status}). Try again later, or choose another provider.`,
    );
    return { kind: 'failed', error, retryAfterSeconds };
  }
  const message = quoteProvider(`${name} rejected the request (${status})`, body);
  return final(message, INPUT_STATUSES.has(status) ? 'INVALID_INPUT' : 'HANDLER_ERROR');
}

function badKey({ isByok }: ProviderClient, name: string, status: number): string {
  return isByok
    ? `${name} rejected your API key (${status}): it is invalid, revoked or lacks permission. Replace it, or remove it to use the gateway's key.`
    : `${name} rejected the API key of this gateway (${status}). Ask the operator of this gateway, or bring your own key.`;
}

function outOfCredit({ isByok }: ProviderClient, name: string): string {
  return isByok
    ? `The ${name} account of your API key is out of credit. Add credit at ${name}.`
    : `This gateway is out of credit at ${name}. Ask the operator of this gateway, or bring your own key.`;
}

/** Status 402, or the equivalent of OpenAI, Anthropic, Tavily, fal and ElevenLabs. */
function isOutOfCredit(status: number, body: string): boolean {
  if (status === 402 || status === 432 || status === 433) return true;
  return (
    status >= 400 &&
    status < 500 &&
    /insufficient_quota|credit balance is too low|exhausted balance|quota_exceeded/i.test(body)
  );
}

/** Parses Retry-After, a number or a date, to whole seconds. */
function parseRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** Adds the provider's message in a response body, as a short line without secrets. */
export function quoteProvider(message: string, body: string): string {
  const text = (messageIn(body) ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/g, ' ')
    .replace(/\b(Bearer|Key|Basic)\s+\S+/gi, '$1 …')
    .replace(/\b(sk|pk|re|r8|fc|xi|tvly|key|token)[-_][\w*.-]{4,}/gi, '…')
    .replace(/[\w*+/=.-]{16,}/g, (run) => (/\d|\*/.test(run) ? '…' : run))
    .trim();
  return attributeText(message, text, MAX_QUOTED_CHARS);
}

/**
 * Finds the message in any field that providers use: `error.message`, `error`, `message`, `detail`,
 * `detail.message`, `detail[0].msg`.
 */
function messageIn(body: string): string | undefined {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    return undefined;
  }
  for (let depth = 0; depth < 4; depth += 1) {
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) value = value[0];
    else if (typeof value === 'object' && value !== null) {
      const fields: Record<string, unknown> = { ...value };
      value = fields.error ?? fields.message ?? fields.detail ?? fields.msg;
    } else return undefined;
  }
  return undefined;
}

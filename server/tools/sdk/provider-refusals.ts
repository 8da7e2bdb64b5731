import { type FailureCode, SkillError } from '../../core/errors/skill-error';
import { parseJson } from '../../kit/parse-json';
import { findProvider } from '../../platform/settings/providers';
import type { ProviderClient } from './skill-context';

const MAX_QUOTED_CHARS = 200;
/** Longer waits are told to the caller, not sat out. */
export const MAX_WAIT_SECONDS = 20;

/**
 * Statuses by which providers refuse what the caller sent: too long, unfit, or against their rules.
 */
const OF_THE_INPUT: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** What went wrong at a provider, in our words for the caller. */
export class ProviderFailure extends SkillError {}

/** What a provider's answer of 300 and above means. */
export interface Refusal {
  /**
   * `limited`: not done, again after a wait. `failed`: its own fault, perhaps done. `final`: the
   * same again would fail again.
   */
  readonly kind: 'limited' | 'failed' | 'final';
  readonly error: ProviderFailure;
  /** As it asks, where it asks. */
  readonly retryAfterSeconds: number | undefined;
}

/** How a provider is called in messages. */
export function providerName({ slot }: ProviderClient): string {
  return findProvider(slot)?.displayName ?? slot;
}

/**
 * Reads a refusal. What it says in its own words is quoted only where that helps, shortened and
 * cleaned.
 * @param body the beginning of the answer, as text
 */
export function readRefusal(provider: ProviderClient, response: Response, body: string): Refusal {
  const name = providerName(provider);
  const { status } = response;
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  const final = (message: string, failure?: FailureCode): Refusal => ({
    kind: 'final',
    error: new ProviderFailure(message, { failure }),
    retryAfterSeconds,
  });
  if (isOutOfCredit(status, body)) return final(outOfCredit(provider, name));
  if (status === 401 || status === 403) return final(badKey(provider, name, status));
  if (status === 429) {
    const when = retryAfterSeconds === undefined ? 'in a minute' : `in ${retryAfterSeconds} seconds`;
    const error = new ProviderFailure(
      `${name} takes no more requests for the moment (429). Try again ${when}.`,
    );
    return { kind: 'limited', error, retryAfterSeconds };
  }
  if (status >= 500) {
    const error = new ProviderFailure(
      `${name} failed (${status}). Try again later, or choose another provider.`,
    );
    return { kind: 'failed', error, retryAfterSeconds };
  }
  const words = quotable(body);
  const message = `${name} refused the request (${status})${words ? `: ${words}` : '.'}`;
  return final(message, OF_THE_INPUT.has(status) ? 'INVALID_INPUT' : 'HANDLER_ERROR');
}

function badKey({ isOwn }: ProviderClient, name: string, status: number): string {
  return isOwn
    ? `${name} refused the API key that you gave (${status}): it is wrong, revoked or not allowed to do this. Replace it, or remove it to use the gateway's own.`
    : `${name} refused the API key of this gateway (${status}). Tell its operator, or bring your own key.`;
}

function outOfCredit({ isOwn }: ProviderClient, name: string): string {
  return isOwn
    ? `The account of your API key is out of credit at ${name}. Add credit there.`
    : `This gateway is out of credit at ${name}. Tell its operator, or bring your own key.`;
}

/** 402, and how those say it who use another status: OpenAI, Anthropic, Tavily, fal, ElevenLabs. */
function isOutOfCredit(status: number, body: string): boolean {
  if (status === 402 || status === 432 || status === 433) return true;
  return (
    status >= 400 &&
    status < 500 &&
    /insufficient_quota|credit balance is too low|exhausted balance|quota_exceeded/i.test(body)
  );
}

/** Retry-After in whole seconds: a number, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/**
 * The provider's own words, without anything that could be a key, in one short line; empty where
 * there are none.
 */
export function quotable(body: string): string {
  const text = (messageIn(body) ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/g, ' ')
    .replace(/\b(Bearer|Key|Basic)\s+\S+/gi, '$1 …')
    .replace(/\b(sk|pk|re|r8|fc|xi|tvly|key|token)[-_][\w*.-]{4,}/gi, '…')
    .replace(/[\w*+/=.-]{16,}/g, (run) => (/\d|\*/.test(run) ? '…' : run))
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
}

/**
 * Where the providers put it: `error.message`, `error`, `message`, `detail`, `detail.message`,
 * `detail[0].msg`.
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

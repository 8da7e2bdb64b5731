import type { CallResult } from '@/server/calls/result/schema';
import type { ProvisionResponse } from '@/server/identity/accounts/schema';
import type { SampleCall } from '../shared/call-samples';

/** A quota, as stated in the response headers. */
export interface Quota {
  name: string;
  remaining: number;
  limit: number;
}

/** A successful response, and how long it took. */
export interface LiveResponse<Body> {
  kind: 'answer';
  status: number;
  ms: number;
  quotas: Quota[];
  /** The headers an agent would read, verbatim. */
  headers: string[];
  body: Body;
}

/** A failed request, with a message. */
export interface Problem {
  kind: 'problem';
  /** Null if there was no response. */
  status: number | null;
  text: string;
}

export function provision(): Promise<LiveResponse<ProvisionResponse> | Problem> {
  return send('/v1/auth/provision', { method: 'POST' });
}

/** Calls a tool as an agent would, with the key as its only credential. */
export function callTool(key: string, call: SampleCall): Promise<LiveResponse<CallResult> | Problem> {
  return send('/v1/tools/call', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(call),
  });
}

const SHOWN_HEADERS = ['RateLimit-Policy', 'RateLimit', 'X-Request-Id'];

/** Longer than 30 s, after which the gateway responds with 202 in any case. */
const TIMEOUT_MS = 45_000;

async function send<Body>(path: string, init: RequestInit): Promise<LiveResponse<Body> | Problem> {
  const started = performance.now();
  try {
    const response = await fetch(path, {
      ...init,
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await response.json();
    const ms = Math.round(performance.now() - started);
    if (!response.ok) return { kind: 'problem', status: response.status, text: problemText(response, body) };
    return {
      kind: 'answer',
      status: response.status,
      ms,
      quotas: readQuotas(response.headers),
      headers: SHOWN_HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [`${name}: ${value}`];
      }),
      body,
    };
  } catch {
    return {
      kind: 'problem',
      status: null,
      text: 'The gateway did not respond. Check your connection and try again.',
    };
  }
}

interface Refusal {
  error?: { message?: string; resolution_hint?: string };
}

function problemText(response: Response, body: Refusal | null): string {
  const wait = Number(response.headers.get('Retry-After'));
  if (response.status === 429)
    return `Too many requests from your IP address. Try again in ${waitText(wait)}.`;
  const { message, resolution_hint } = body?.error ?? {};
  return message ? [message, resolution_hint].filter(Boolean).join(' ') : 'The request failed. Try again.';
}

/** `40 seconds`, `12 minutes`, `3 hours`: rounded up, so that a retry is not too early. */
export function waitText(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return 'a moment';
  const [count, unit] =
    seconds < 90
      ? [Math.ceil(seconds), 'second']
      : seconds < 90 * 60
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * Merges the RateLimit and RateLimit-Policy headers (`"minute";r=59;t=42`, `"minute";q=60;w=60`).
 */
export function readQuotas(headers: Headers): Quota[] {
  const remaining = members(headers.get('RateLimit'), 'r');
  const limits = members(headers.get('RateLimit-Policy'), 'q');
  return [...remaining].flatMap(([name, left]) => {
    const limit = limits.get(name);
    return limit === undefined ? [] : [{ name, remaining: left, limit }];
  });
}

function members(field: string | null, parameter: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const member of field?.split(',') ?? []) {
    const name = /"([^"]+)"/.exec(member)?.[1];
    const value = new RegExp(`;\\s*${parameter}=(\\d+)`).exec(member)?.[1];
    if (name !== undefined && value !== undefined) found.set(name, Number(value));
  }
  return found;
}

// Checks of the responses while the database is unavailable. Each function returns problems.
import { z } from 'zod';
import { readEvents } from '@/test/support/read-events';
import type { ProbeAnswer } from './probes';

/** docs/decisions/0031 */
const MAX_MS = 35_000;
const SUCCESS = [200, 201, 202];
const PAGES = ['page', 'the dashboard'];
const WITH_WRONG_KEY = ['a wrong key', 'a call with a wrong key'];
/** Must not occur in a response: stack traces, statements and connection errors. */
const INTERNALS = /\n {4}at |node_modules|postgres:\/\/|ECONN|CONNECTION_|CONNECT_TIMEOUT|Failed query/;

const errorBody = z.object({
  error: z.object({ code: z.string(), message: z.string().min(1), resolution_hint: z.string().optional() }),
});

/** Every response must be a success or an Error with Retry-After. */
export function findUndocumentedAnswers(answers: ProbeAnswer[]): string[] {
  return answers.flatMap((answer) => {
    const problem = PAGES.includes(answer.kind) ? judgePage(answer) : judgeAnswer(answer);
    return problem ? [`${answer.kind}: ${problem}: ${answer.text.slice(0, 300)}`] : [];
  });
}

/** Every response must arrive within 35 s. */
export function findLateAnswers(answers: ProbeAnswer[]): string[] {
  return answers
    .filter(({ ms, status }) => ms > MAX_MS || status === 0)
    .map(
      ({ kind, ms, status, text }) => `${kind}: ${status} after ${Math.round(ms)} ms ${text.slice(0, 200)}`,
    );
}

/** A request with an invalid key must never succeed. */
export function findAdmittedWrongKeys(answers: ProbeAnswer[]): string[] {
  return answers
    .filter(({ kind, status }) => WITH_WRONG_KEY.includes(kind) && ![401, 503].includes(status))
    .map(({ kind, status, text }) => `${kind}: ${status} ${text.slice(0, 200)}`);
}

/** No response may reveal internals. */
export function findLeakedInternals(answers: ProbeAnswer[]): string[] {
  return answers
    .filter(({ text }) => INTERNALS.test(text))
    .map(({ kind, text }) => `${kind}: ${INTERNALS.exec(text)?.[0]} in ${text.slice(0, 300)}`);
}

function judgeAnswer({ kind, status, text, retryAfter, contentType }: ProbeAnswer): string | null {
  if (kind === 'health') return status === 200 ? null : `returned ${status}`;
  if (WITH_WRONG_KEY.includes(kind) && status === 401) return null;
  // A stream that has started reports the failure in its last event, also if it was resumed.
  if (contentType.startsWith('text/event-stream') && status === 200) return judgeStream(text);
  if (SUCCESS.includes(status)) return null;
  if (status !== 503) return `returned ${status}`;
  if (kind === 'mcp' && text.includes('jsonrpc')) return null;
  return judgeError(text, retryAfter);
}

function judgeError(text: string, retryAfter: string | null): string | null {
  const { data } = errorBody.safeParse(parseJson(text));
  if (data?.error.code !== 'UNAVAILABLE' || !data.error.resolution_hint) return 'is not a complete Error';
  return Number(retryAfter) > 0 ? null : `has the Retry-After ${retryAfter}`;
}

function judgeStream(text: string): string | null {
  const { event, data } = readEvents(text).at(-1) ?? {};
  if (event === 'result' || data?.result || data?.status === 'pending') return null;
  return data?.error?.code ? null : 'the stream has no final event';
}

function judgePage({ status, text }: ProbeAnswer): string | null {
  if (status === 200 || (status >= 300 && status < 400)) return null;
  if (status !== 503 && status !== 500) return `returned ${status}`;
  return text.includes('<html') || parseJson(text)?.error ? null : 'is not a page';
}

interface Parsed {
  result?: unknown;
  status?: string;
  error?: { code?: string };
}

function parseJson(text: string): Parsed | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

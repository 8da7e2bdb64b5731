// What clients may be answered while the database is away.

/** @typedef {import('./probes.mjs').Answered} Answered */

const LONGEST_MS = 35_000;
const FINE = [200, 201, 202];
const PAGES = ['page', 'the dashboard'];
const WITH_WRONG_KEY = ['a wrong key', 'a call with a wrong key'];
/** What must not be in an answer: where an error was thrown, statements, and how the line broke. */
const INSIDES = /\n {4}at |node_modules|postgres:\/\/|ECONN|CONNECTION_|CONNECT_TIMEOUT|Failed query/;

/** Each is fine, or says in the Error shape that it may be asked again. @param {Answered[]} answers */
export function saysSo(answers) {
  return answers.flatMap((answer) => {
    const problem = PAGES.includes(answer.kind) ? wrongWithPage(answer) : wrongWith(answer);
    return problem ? [`${answer.kind}: ${problem}: ${answer.text.slice(0, 300)}`] : [];
  });
}

/** @param {Answered[]} answers */
export function inTime(answers) {
  return answers
    .filter(({ ms, status }) => ms > LONGEST_MS || status === 0)
    .map(
      ({ kind, ms, status, text }) => `${kind}: ${status} after ${Math.round(ms)} ms ${text.slice(0, 200)}`,
    );
}

/** No key that nobody has opens anything. @param {Answered[]} answers */
export function staysShut(answers) {
  return answers
    .filter(({ kind, status }) => WITH_WRONG_KEY.includes(kind) && ![401, 503].includes(status))
    .map(({ kind, status, text }) => `${kind}: ${status} ${text.slice(0, 200)}`);
}

/** @param {Answered[]} answers */
export function tellsNothing(answers) {
  return answers
    .filter(({ text }) => INSIDES.test(text))
    .map(({ kind, text }) => `${kind}: ${INSIDES.exec(text)?.[0]} in ${text.slice(0, 300)}`);
}

/** @param {Answered} answer @returns {string | null} */
function wrongWith({ kind, status, text, retryAfter, contentType }) {
  if (kind === 'health') return status === 200 ? null : `answered ${status}`;
  if (WITH_WRONG_KEY.includes(kind) && status === 401) return null;
  // A stream that has begun says it in its last event.
  if (contentType.startsWith('text/event-stream') && status === 200) return wrongWithStream(text);
  if (FINE.includes(status)) return null;
  if (status !== 503) return `answered ${status}`;
  if (kind === 'mcp' && text.includes('jsonrpc')) return null;
  return wrongWithError(text, retryAfter);
}

/** @param {string} text @param {string | null} retryAfter */
function wrongWithError(text, retryAfter) {
  const error = parse(text)?.error;
  if (error?.code !== 'UNAVAILABLE' || !error.resolution_hint || !error.message)
    return 'is not in the Error shape';
  if (!(Number(retryAfter) > 0)) return `has the Retry-After ${retryAfter}`;
  return null;
}

/** @param {string} text */
function wrongWithStream(text) {
  const last = text.trim().split('\n\n').at(-1) ?? '';
  const data = parse(/^data: (.+)$/m.exec(last)?.[1] ?? '');
  if (/^event: result$/m.test(last) || data?.result || data?.status === 'pending') return null;
  return data?.error?.code ? null : 'the stream has no last event';
}

/** @param {Answered} answer */
function wrongWithPage({ status, text }) {
  if (status === 200 || (status >= 300 && status < 400)) return null;
  if (status !== 503 && status !== 500) return `answered ${status}`;
  return text.includes('<html') || parse(text)?.error ? null : 'is no page';
}

/** @param {string} text @returns {any} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

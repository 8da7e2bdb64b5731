import { ERROR_CODES, ERRORS, type ErrorCode } from '../core/errors/catalogue';
import { wordHint } from '../core/errors/hint';
import { ERROR_NOTES } from './error-notes';

/** Codes of calls and of refusals before a call: their errors say that nothing was charged. */
const CALL_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TOOL_NOT_FOUND',
  'SKILL_NOT_FOUND',
  'MISSING_CREDENTIALS',
  'INSUFFICIENT_CREDITS',
  'CLAIM_REQUIRED',
  'SPENDING_LIMIT_EXCEEDED',
  'HANDLER_ERROR',
  'TOOL_UNAVAILABLE',
]);

/** Renders the chapter of the error codes, with one heading per code, which is also its anchor. */
export function errorsMarkdown(): string {
  return [tableOfCodes(), ...ERROR_CODES.map(renderChapter)].join('\n\n');
}

function tableOfCodes(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, type, message } = ERRORS[code];
    return `| [\`${code}\`](#${code}) | ${status} | \`${type}\` | ${message} |`;
  });
  return ['| Code | Status | Type | Message |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function renderChapter(code: ErrorCode): string {
  const { status, type, hint } = ERRORS[code];
  const { when, action } = ERROR_NOTES[code];
  return [
    `### \`${code}\``,
    `Status ${status}, type \`${type}\`. ${when}`,
    `**What to do.** ${action}`,
    `**Hint in the response.** ${wordHint(hint, 'rest')}`,
    `\`\`\`json example\n${JSON.stringify(exampleBody(code), null, 2)}\n\`\`\``,
  ].join('\n\n');
}

/** An example response with this code. */
function exampleBody(code: ErrorCode) {
  const { type, message, hint } = ERRORS[code];
  const note = ERROR_NOTES[code];
  return {
    status: 'error',
    error: {
      code,
      message,
      type,
      resolution_hint: wordHint(hint, 'rest'),
      doc_url: `http://localhost:3000/docs/errors#${code}`,
      ...('fields' in note ? note.fields : {}),
      ...(CALL_CODES.has(code) ? { billed: false } : {}),
      request_id: 'req_01kp9vx3zq8h4m2n6r7s5t0w',
    },
  };
}

import { ERROR_CODES, ERRORS, type ErrorCode } from '../core/errors/catalogue';
import { ERROR_NOTES } from './error-notes';

/**
 * Codes of refusals before anything of a call was begun, or of calls: they say that nothing was
 * charged.
 */
const OF_CALLS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TOOL_NOT_FOUND',
  'SKILL_NOT_FOUND',
  'MISSING_CREDENTIALS',
  'INSUFFICIENT_CREDITS',
  'CLAIM_REQUIRED',
  'SPENDING_LIMIT_EXCEEDED',
  'HANDLER_ERROR',
  'TOOL_UNAVAILABLE',
]);

/** The chapter of the codes, from the catalogue: one heading each, which is also its anchor. */
export function errorsMarkdown(): string {
  return [tableOfCodes(), ...ERROR_CODES.map(chapterOf)].join('\n\n');
}

function tableOfCodes(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, type, message } = ERRORS[code];
    return `| [\`${code}\`](#${code}) | ${status} | \`${type}\` | ${message} |`;
  });
  return ['| Code | Status | Type | Message |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function chapterOf(code: ErrorCode): string {
  const { status, type, hint } = ERRORS[code];
  const { when, mend } = ERROR_NOTES[code];
  return [
    `### \`${code}\``,
    `Status ${status}, type \`${type}\`. ${when}`,
    `**What to do.** ${mend}`,
    `**Hint in the answer.** ${hint}`,
    `\`\`\`json example\n${JSON.stringify(exampleBody(code), null, 2)}\n\`\`\``,
  ].join('\n\n');
}

/** An answer with this code, as a client may meet it. */
function exampleBody(code: ErrorCode) {
  const { type, message, hint } = ERRORS[code];
  const note = ERROR_NOTES[code];
  return {
    status: 'error',
    error: {
      code,
      message,
      type,
      resolution_hint: hint,
      doc_url: `http://localhost:3000/docs/errors#${code}`,
      ...('beside' in note ? note.beside : {}),
      ...(OF_CALLS.has(code) ? { billed: false } : {}),
      request_id: 'req_01kp9vx3zq8h4m2n6r7s5t0w',
    },
  };
}

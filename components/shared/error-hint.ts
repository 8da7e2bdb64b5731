import type { ErrorBody } from '@/server/core/errors/schema';

type ErrorCode = ErrorBody['error']['code'];

/**
 * What a person can do about a call that ended this way; the agent had the exact message in its
 * answer.
 */
const HINTS: Partial<Record<ErrorCode, string>> = {
  HANDLER_ERROR: 'The tool itself failed or took too long. Call again later.',
  INVALID_INPUT: 'The tool cannot work with this input. Its page shows what it takes, with examples.',
  INSUFFICIENT_CREDITS:
    'The credit did not cover the price. Add credit to the account, or raise the key’s limit.',
  SPENDING_LIMIT_EXCEEDED: 'The monthly limit would have been passed. Raise it, or wait for the next month.',
  RATE_LIMIT_EXCEEDED:
    'The key made too many calls at once. Space them out, or spread them over several keys.',
  ASSET_NOT_FOUND: 'The input named a file that is not there. Upload it again, or correct the id.',
  TOOL_UNAVAILABLE: 'This gateway lacks what the tool needs. Its page says what; use another tool meanwhile.',
  MISSING_CREDENTIALS: 'The tool needs a provider key that is not saved.',
  CLAIM_REQUIRED: 'The tool needs a claimed account.',
  FORBIDDEN: 'The key may not charge that account.',
  INTERNAL: 'The fault is the gateway’s. Call again; if it stays, give the call’s id to the operator.',
  UNAVAILABLE: 'The gateway was busy or restarting. Call again.',
};

/** The hint for a code of the history; codes of later versions get a general one. */
export function errorHint(code: string): string {
  return (
    (HINTS as Partial<Record<string, string>>)[code] ??
    'The answer to the call said what to do. Give the call’s id to the operator if it stays unclear.'
  );
}

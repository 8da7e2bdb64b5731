import type { ErrorBody } from '@/server/core/errors/schema';

type ErrorCode = ErrorBody['error']['code'];

/**
 * What a person can do about a call that failed with this code. The agent received the exact
 * message in its response.
 */
const HINTS: Partial<Record<ErrorCode, string>> = {
  HANDLER_ERROR: 'The tool failed or timed out. Try again later.',
  INVALID_INPUT: 'The input is invalid. The tool’s page describes it, with examples.',
  INSUFFICIENT_CREDITS:
    'The credit of the account, or what is left of the key’s credit limit, did not cover the call. Buy credit, or raise the key’s limit: the key’s page says which.',
  COST_LIMIT_EXCEEDED:
    'The call can cost more than the limit it was sent with. Raise the limit, or choose a smaller input.',
  SPENDING_LIMIT_EXCEEDED:
    'The call would have exceeded the spending limit of the account, the key or the team member: the key’s page says which. Raise it, or wait for its next period.',
  TOOL_NOT_ALLOWED: 'The key may not call this tool. Add the tool to the key, or use another key.',
  IP_NOT_ALLOWED: 'The key may not be used from that address. Add its network to the key.',
  RATE_LIMIT_EXCEEDED: 'The key has reached a limit of calls. Wait until it resets, or raise the limit.',
  ASSET_NOT_FOUND: 'The input names a file that does not exist. Upload it again, or correct the id.',
  TOOL_UNAVAILABLE: 'The tool is unavailable on this gateway; its page says why. Use another tool for now.',
  MISSING_CREDENTIALS: 'The tool needs a provider key that is not saved.',
  CLAIM_REQUIRED: 'The tool needs a claimed account.',
  FORBIDDEN: 'The key may not charge that account.',
  INTERNAL: 'The gateway failed. Call again. If it persists, send the call id to the operator.',
  UNAVAILABLE: 'The gateway was busy or restarting. Call again.',
};

/** The hint for an error code; unknown codes of later versions get a general hint. */
export function errorHint(code: string): string {
  return (
    (HINTS as Partial<Record<string, string>>)[code] ??
    'The response to the call said what to do. If it is still unclear, send the call id to the operator.'
  );
}

/** Length of an id or name in a filter. */
export const MAX_FILTER_LENGTH = 64;
/** Keys in a report: those with the highest spend. */
export const MAX_REPORT_KEYS = 100;
/** Points of the trend of a tool or key. */
export const MAX_TREND_POINTS = 30;
/** Length of an X-Request-Id that a client may choose. */
export const MAX_REQUEST_ID = 128;
/** The codes of calls that ran and failed; refused calls are recorded apart. */
export const CALL_ERROR_CODES = [
  'HANDLER_ERROR',
  'INVALID_INPUT',
  'ASSET_NOT_FOUND',
  'TOOL_UNAVAILABLE',
] as const;
/** Stands for the code of a failed call from before codes were recorded. */
export const NO_ERROR_CODE = 'UNKNOWN';
/** Failed calls of an account that are counted by tool and code: the newest ones. */
export const MAX_COUNTED_FAILURES = 50_000;
/** Rows of refused calls by code, tool or key: the most frequent ones. */
export const MAX_REFUSAL_ROWS = 100;
/** Refused calls that are listed one by one: the last ones. */
export const MAX_LISTED_REFUSALS = 100;
/** From this share on, a spending limit is near its end. */
export const NEAR_LIMIT_SHARE = 0.8;
/** Rows of what refuses calls now, and of what did, on an overview: the last ones. */
export const MAX_ATTENTION_ROWS = 5;
/** Spending limits near their end that an overview lists: the fullest ones. */
export const MAX_NEAR_LIMITS = 5;
/** Rows of the failed calls by tool and code: the most frequent ones. */
export const MAX_ERROR_ROWS = 100;

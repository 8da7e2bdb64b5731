/** Combinations of key, code, limit and tool of an account that a process writes in a minute. */
export const MAX_COMBINATIONS = 60;
/** The same of all accounts; further refusals are only in the metrics. */
export const MAX_ROWS_PER_MINUTE = 5_000;
/** Refused calls of an account that a process describes in a minute; others are only counted. */
export const MAX_DESCRIBED_PER_MINUTE = 100;
/** The last refused calls of an account that are described. */
export const DESCRIBED_PER_ACCOUNT = 100;
/** Rows that wait to be written, of each table: more are lost while the database is away. */
export const MAX_WAITING = 5_000;
export const MAX_MESSAGE_CHARS = 300;
/** Length of the name of a tool or skill, as in a call. */
export const MAX_NAME_CHARS = 64;
/** A month of spending limits, and a margin. */
export const REFUSAL_DAYS = 35;

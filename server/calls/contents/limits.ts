/** Days that contents may be stored for; the operator's maximum leaves out longer ones. */
export const CONTENT_DAYS = [1, 7, 30] as const;
/** The most that is stored of an input or output, as JSON. */
export const MAX_SIDE_BYTES = 64 * 1024;
/** The most that is stored of a log. */
export const MAX_LOG_BYTES = 32 * 1024;
/** Upper bound of a stored content: sealed, its JSON is escaped once more and written in base64. */
export const LARGEST_CONTENT_BYTES = 512 * 1024;
/** The most that is stored for an account; contents of later calls are not stored. */
export const MAX_STORED_BYTES = 1024 ** 3;
/**
 * Contents deleted in the transaction that opts out or deletes the account: 200 large ones take a
 * second. The sweep deletes the rest, which nobody can read.
 */
export const DELETED_AT_ONCE = 200;

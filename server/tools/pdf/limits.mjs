// The bounds of documents, for the gateway's side and for the workers.

/** Of one PDF that comes in. */
export const MAX_INPUT_BYTES = 30 * 1024 * 1024;
/** Of all that are merged. */
export const MAX_MERGE_BYTES = 60 * 1024 * 1024;
export const MAX_MERGE_FILES = 20;
/** Of one document that is read or written. */
export const MAX_PAGES = 2_000;
/** Files that one document is split into. */
export const MAX_PARTS = 50;
/** Pages that one call draws. */
export const MAX_RENDERED_PAGES = 50;
/** Of one drawn page: 100 MB as RGBA. */
export const MAX_PAGE_PIXELS = 25_000_000;
/** Characters that one call may read. */
export const MAX_TEXT_CHARS = 500_000;
/** What one call may compute; a page that is drawn has it for itself. */
export const TIME_LIMIT_MS = 30_000;

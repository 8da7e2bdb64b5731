// PDF limits, shared by the gateway and the workers.

/** Per input PDF. */
export const MAX_INPUT_BYTES = 30 * 1024 * 1024;
/** Total size of the PDFs of a merge. */
export const MAX_MERGE_BYTES = 60 * 1024 * 1024;
export const MAX_MERGE_FILES = 20;
/** Per document read or written. */
export const MAX_PAGES = 2_000;
/** Files that one document can be split into. */
export const MAX_PARTS = 50;
/** Pages rendered per call. */
export const MAX_RENDERED_PAGES = 50;
/** Per rendered page: 100 MB as RGBA. */
export const MAX_PAGE_PIXELS = 25_000_000;
/** Characters of text read per call. */
export const MAX_TEXT_CHARS = 500_000;
/** Time limit per call, or per page when rendering. */
export const TIME_LIMIT_MS = 30_000;

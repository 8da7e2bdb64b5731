// Document limits, shared by the gateway and the workers.

export const MAX_MARKDOWN_CHARS = 300_000;
export const MAX_MJML_CHARS = 300_000;
export const MAX_IMAGES = 20;
/** Per picture. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Nesting of blocks, such as lists in quotes in lists. */
export const MAX_DEPTH = 20;
/** Total number of blocks, text runs and cells. */
export const MAX_PARTS = 60_000;
/** Time limit for one document. */
export const TIME_LIMIT_MS = 45_000;

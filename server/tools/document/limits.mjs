// The bounds of documents, for the gateway's side and for the workers.

export const MAX_MARKDOWN_CHARS = 300_000;
export const MAX_MJML_CHARS = 300_000;
export const MAX_IMAGES = 20;
/** Of one picture. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Blocks inside of blocks: lists in quotes in lists. */
export const MAX_DEPTH = 20;
/** Blocks, runs of text and cells in all. */
export const MAX_PARTS = 60_000;
/** What one document may compute. */
export const TIME_LIMIT_MS = 45_000;

/** Parses pages; the crawler uses it too. */
export const PAGE_WORKER = 'server/tools/web-reader/page-worker.mjs';

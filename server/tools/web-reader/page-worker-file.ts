/** Worker module that parses pages, also used by the crawler. */
export const PAGE_WORKER = 'server/tools/web-reader/page-worker.mjs';

// Chart limits, shared by the gateway and the workers.

export const MAX_DATA_BYTES = 10 * 1024 * 1024;
export const MAX_ROWS = 100_000;
export const MIN_SIDE = 50;
export const MAX_SIDE = 4_000;
export const MAX_SCALE = 4;
/** Per PNG; 100 MB as RGBA. */
export const MAX_PIXELS = 25_000_000;
/** Per SVG: the largest that browsers and editors open quickly. */
export const MAX_SVG_CHARS = 20 * 1024 * 1024;
export const MAX_SERIES = 12;
export const MAX_POINTS = 5_000;
export const MAX_SLICES = 12;
/** Time limit for one chart. */
export const TIME_LIMIT_MS = 20_000;

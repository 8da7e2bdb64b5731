/** Length of an id or name in a filter. */
export const MAX_FILTER_LENGTH = 64;

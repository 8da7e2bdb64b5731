/** Length of a search for tools. */
export const MAX_SEARCH_LENGTH = 500;

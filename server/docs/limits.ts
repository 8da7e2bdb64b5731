/** Length of a search in the documentation. */
export const MAX_QUERY_LENGTH = 200;

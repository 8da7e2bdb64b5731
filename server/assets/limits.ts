/** Files deleted by one request. */
export const MAX_DELETED_ASSETS = 100;
/** Length of a part of a file name to search for. */
export const MAX_QUERY_LENGTH = 200;

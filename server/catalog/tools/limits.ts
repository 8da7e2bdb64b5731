/** Length of a search for tools. */
export const MAX_SEARCH_LENGTH = 500;
/** With fewer calls, a rate says more about chance than about the tool: none is shown. */
export const MIN_CALLS_OF_RATE = 20;

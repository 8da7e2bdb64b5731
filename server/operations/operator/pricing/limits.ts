/** The highest platform fee per unit, in dollars: above it, a typing mistake is more likely. */
export const MAX_FEE_USD = 1_000;
/** The highest markup on the cost of a provider. */
export const MAX_MARKUP_PERCENT = 1_000;
/** How far ahead a change can be scheduled. */
export const MAX_AHEAD_DAYS = 365;
/** How many changes the page of a tool lists. */
export const SHOWN_CHANGES = 200;

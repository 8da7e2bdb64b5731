export const MAX_ENDPOINTS = 16;
export const MAX_URL_LENGTH = 2048;
export const MAX_DESCRIPTION_LENGTH = 200;
/** The longest time that the previous secret also signs. */
export const MAX_OVERLAP_HOURS = 72;
export const DEFAULT_OVERLAP_HOURS = 24;
/** How long deliveries and their log are stored. */
export const DELIVERY_DAYS = 35;
/** The longest time of an attempt; the specification recommends 15 to 30 s. */
export const SEND_TIMEOUT_MS = 15_000;

/** How many accounts and tools the overview lists. */
export const TOP = 8;

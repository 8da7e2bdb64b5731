/** Lengths of the billing details, in characters. */
export const DETAIL_LENGTHS = { companyName: 200, address: 500, vatId: 20, email: 200 } as const;

/** Lines of an address. */
export const MAX_ADDRESS_LINES = 8;

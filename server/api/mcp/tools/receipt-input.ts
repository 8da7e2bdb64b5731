import { z } from 'zod';

/** What `Prefer: receipt` is on REST. */
export const receiptWanted = z
  .boolean()
  .optional()
  .describe('Add a signed receipt to the result of a successful call.');

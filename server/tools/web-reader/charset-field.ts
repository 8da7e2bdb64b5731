import { z } from 'zod';

/** Names the charset with which a text was decoded. */
export const charsetField = z
  .string()
  .optional()
  .describe(
    'Charset with which the text was decoded, as browsers choose it: utf-8, windows-1252, gbk, …. A text that declares none is utf-8 if valid, otherwise windows-1252.',
  );

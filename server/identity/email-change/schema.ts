import { z } from 'zod';
import { factorCode } from '../factor/schema';

const MAX_EMAIL_LENGTH = 254;
const MAX_TOKEN_LENGTH = 100;

export const emailChangeInput = z.object({
  email: z.string().trim().min(1).max(MAX_EMAIL_LENGTH),
  /** Required if the second factor is on. */
  code: factorCode.optional(),
});

export const emailTokenInput = z.object({ token: z.string().min(1).max(MAX_TOKEN_LENGTH) });

/** What the pages of the two links show. Their tokens prove that the reader owns the address. */
export const emailChangePreviewSchema = z.object({
  state: z.enum(['open', 'confirmed', 'ended', 'expired', 'unknown']),
  /** Which of the links the token is of. */
  link: z.enum(['confirm', 'undo']).nullable(),
  old_email: z.string().nullable(),
  new_email: z.string().nullable(),
});

export const emailChangedSchema = z.object({ email: z.string() });

export type EmailChangePreview = z.infer<typeof emailChangePreviewSchema>;

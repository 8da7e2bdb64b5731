import { z } from 'zod';

export const contentInput = z.object({ call_id: z.string().min(1).max(64) });
export const contentAccountInput = z.object({
  /** `personal` (default), or the slug of a team of the user. */
  billing: z.string().min(1).max(64).optional(),
});
export const changeContentInput = contentAccountInput.extend({
  /** Days that contents are stored; null stops and deletes those that are stored. */
  days: z.int().min(1).nullable(),
});

const sideSchema = z.object({
  /** Valid JSON, also if it was truncated. */
  json: z.string(),
  /** Parts are missing, because it was too large. */
  truncated: z.boolean(),
  /** Parts were replaced, because they looked like secrets. */
  redacted: z.boolean(),
});

export const contentSchema = z.object({
  /** Null if nothing is stored of the call, or if the viewer may not read it. */
  content: z
    .object({
      input: sideSchema,
      /** The output, or the error of a failed call. */
      output: sideSchema,
      /** The lines, each with `at` and `message`. */
      log: sideSchema,
      expires_at: z.iso.datetime(),
    })
    .nullable(),
  /** It is stored, but only owners and admins of the team may read it. */
  hidden: z.boolean(),
});

export const contentSettingsSchema = z.object({
  /** Null while contents are not stored. */
  days: z.int().nullable(),
  /** What can be chosen; empty if the operator has switched it off. */
  choices: z.array(z.int()),
  stored_bytes: z.int(),
  max_bytes: z.int(),
  /** Whether the viewer may change it. */
  can_change: z.boolean(),
});

export type CallContent = z.infer<typeof contentSchema>;
export type ContentSide = z.infer<typeof sideSchema>;
export type ContentSettings = z.infer<typeof contentSettingsSchema>;

import { z } from 'zod';

/** A deprecation in a response body; absent if not deprecated. */
export const deprecatedSchema = z
  .looseObject({
    since: z.string().describe('When it was deprecated; it still works.'),
    sunset: z.string().nullable().describe('The earliest date it may stop working; null: not decided.'),
    replacement: z.string().nullable().describe('The replacement, if there is one.'),
    link: z.string().describe('The documentation.'),
  })
  .meta({ id: 'Deprecated' });

export type Deprecated = z.infer<typeof deprecatedSchema>;

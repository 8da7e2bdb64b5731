import { z } from 'zod';

/** What a client is told of something that is on its way out. Only there where it is deprecated. */
export const deprecatedSchema = z
  .looseObject({
    since: z.string().describe('When it was deprecated; it works as before.'),
    sunset: z.string().nullable().describe('When it may stop at the earliest; null: no day is set.'),
    replacement: z.string().nullable().describe('What to use instead, where there is something.'),
    link: z.string().describe('Where to read about it.'),
  })
  .meta({ id: 'Deprecated' });

export type Deprecated = z.infer<typeof deprecatedSchema>;

import { z } from 'zod';

const instant = z.iso.datetime();

export const alertsSchema = z.object({
  /** Where alerts go; an address is shown, the URL of the webhook is a secret. */
  emails: z.array(z.string()),
  webhook: z.boolean(),
  /** Whether a mail server is set up. */
  mail_works: z.boolean(),
  open: z.array(z.object({ id: z.string(), title: z.string(), path: z.string(), opened_at: instant })),
  /** Notices of the last day that could not be delivered yet. */
  undelivered: z.array(
    z.object({ channel: z.enum(['email', 'webhook']), failed: z.int(), error: z.string().nullable() }),
  ),
});

export const testedSchema = z.object({ sent: z.int(), failed: z.int() });

export type Alerts = z.infer<typeof alertsSchema>;

import { z } from 'zod';

const instant = z.iso.datetime();

export const backgroundJobsSchema = z.object({
  jobs: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      /** Null for a job that people start. */
      every_seconds: z.int().nullable(),
      /** `never` before the first run, `off` if a setting turned it off. */
      state: z.enum(['ok', 'failed', 'overdue', 'never', 'off']),
      error: z.string().nullable(),
      failing_at: instant.nullable(),
      last_at: instant.nullable(),
      duration_ms: z.int().nullable(),
      next_at: instant.nullable(),
    }),
  ),
});

export type BackgroundJobs = z.infer<typeof backgroundJobsSchema>;
export type BackgroundJob = BackgroundJobs['jobs'][number];

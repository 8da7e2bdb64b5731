import { z } from 'zod';
import { MAX_MESSAGE_LENGTH, MAX_TITLE_LENGTH } from './limits';

const instant = z.iso.datetime();

/** `none`: not monitored, or not yet. */
export const componentStates = ['operational', 'degraded', 'down'] as const;
export const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

const daySchema = z.object({
  day: z.iso.date(),
  /** Share of the samples that did not fail, 0 to 1; null without samples. */
  uptime: z.number().nullable(),
  degraded: z.boolean(),
});

export const incidentSchema = z.object({
  id: z.string(),
  title: z.string(),
  impact: z.enum(['minor', 'major']),
  /** Newest first. */
  updates: z.array(z.object({ at: instant, state: z.enum(incidentStates), message: z.string() })),
  created_at: instant,
  resolved_at: instant.nullable(),
});

export const statusSchema = z.object({
  state: z.enum(componentStates),
  checked_at: instant,
  components: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      state: z.enum(componentStates),
      /** What is wrong; null if nothing. */
      note: z.string().nullable(),
      /** Of the last 90 days; null without samples. */
      uptime: z.number().nullable(),
      days: z.array(daySchema),
    }),
  ),
  /** Of successful calls of the last 24 hours; null without calls. */
  latency: z.object({ p50_ms: z.number(), p95_ms: z.number(), calls: z.int() }).nullable(),
  /** Open ones first, then newest first. */
  incidents: z.array(incidentSchema),
});

export const incidentListSchema = z.object({ incidents: z.array(incidentSchema) });

const title = z.string().trim().min(3, 'Enter a title.').max(MAX_TITLE_LENGTH);
const message = z.string().trim().min(3, 'Enter a message.').max(MAX_MESSAGE_LENGTH);

export const postIncidentInput = z.object({
  title,
  impact: z.enum(['minor', 'major']),
  message,
});
export const postedIncidentSchema = z.object({ id: z.string() });
export const updateIncidentInput = z.object({
  incident_id: z.string().min(1).max(100),
  state: z.enum(incidentStates),
  message,
});

export type Status = z.infer<typeof statusSchema>;
export type StatusComponent = Status['components'][number];
export type ComponentState = (typeof componentStates)[number];
export type Incident = z.infer<typeof incidentSchema>;
export type IncidentState = (typeof incidentStates)[number];

/** The types of events, in the order of documents and pages. */
export const EVENT_TYPES = [
  'job.completed',
  'job.failed',
  'job.cancelled',
  'key.claimed',
  'key.expiring',
  'balance.low',
  'spending_limit.reached',
  'auto_recharge.failed',
] as const;

export type WebhookEventType = (typeof EVENT_TYPES)[number];

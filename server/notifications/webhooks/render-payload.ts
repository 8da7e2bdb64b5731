import type { WebhookPayload } from './delivery-store';

/** The body of a webhook: events of jobs get the URL that has their result. */
export function renderPayload({ type, timestamp, data }: WebhookPayload, baseUrl: string): WebhookPayload {
  const { job_id: jobId } = data;
  if (typeof jobId !== 'string') return { type, timestamp, data };
  return { type, timestamp, data: { ...data, poll_url: `${baseUrl}/v1/jobs/${jobId}` } };
}

/** A job has the id of its call with another prefix, so it is known before the job exists. */
export function toJobId(callId: string): string {
  return callId.replace(/^call_/, 'job_');
}

/** The id of the call of a job. */
export function toCallId(jobId: string): string {
  return jobId.replace(/^job_/, 'call_');
}

/** The URL to poll a job. Built from the settings, never from a request (threats D13). */
export function buildPollUrl(baseUrl: string, jobId: string): string {
  return `${baseUrl}/v1/jobs/${jobId}`;
}

/** The URL at which the stream of a job is resumed. */
export function buildEventsUrl(baseUrl: string, jobId: string): string {
  return `${buildPollUrl(baseUrl, jobId)}/events`;
}

/** The job of a call has the call's own id under another prefix: known before there is a job. */
export function jobIdOf(callId: string): string {
  return callId.replace(/^call_/, 'job_');
}

/** Where a client asks for a job; made from the settings, never from a request (threats D13). */
export function pollUrl(baseUrl: string, jobId: string): string {
  return `${baseUrl}/v1/jobs/${jobId}`;
}

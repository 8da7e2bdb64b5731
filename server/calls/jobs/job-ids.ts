/** The job of a call has the call's own id under another prefix: known before there is a job. */
export function jobIdOf(callId: string): string {
  return callId.replace(/^call_/, 'job_');
}

/** The call of a job. */
export function callIdOf(jobId: string): string {
  return jobId.replace(/^job_/, 'call_');
}

/** Where a client asks for a job; made from the settings, never from a request (threats D13). */
export function pollUrl(baseUrl: string, jobId: string): string {
  return `${baseUrl}/v1/jobs/${jobId}`;
}

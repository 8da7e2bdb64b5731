import { curlCall, type SampleCall } from '../shared/call-samples';

/** Free, and slow enough to watch. */
const SLOW_CALL: SampleCall = {
  tool: 'diagnostics',
  skill: 'background',
  input: { seconds: 30, steps: 10 },
};

/** A curl command that starts a job instead of waiting for the call. */
export function curlJob(baseUrl: string): string {
  const [first, ...rest] = curlCall(baseUrl, SLOW_CALL).split('\n');
  return [first, '  -H "Prefer: wait=0" \\', ...rest].join('\n');
}

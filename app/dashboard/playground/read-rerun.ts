import type { Rerun } from '@/components/playground/rerun-notice';
import type { createCaller } from '@/server/api/trpc/caller';

type Api = Awaited<ReturnType<typeof createCaller>>;

/** The input of a call that is run again; empty if it is not stored, or hidden from the viewer. */
export async function readRerun(
  api: Api,
  callId: string,
  billing: string | undefined,
): Promise<{ input: Record<string, unknown>; rerun: Rerun }> {
  const { content, hidden } = await api.callContents.get({ call_id: callId });
  if (content) {
    const { json, truncated, redacted } = content.input;
    return { input: JSON.parse(json), rerun: { state: truncated || redacted ? 'gaps' : 'complete' } };
  }
  if (hidden) return { input: {}, rerun: { state: 'hidden' } };
  const settings = await api.callContents.settings({ billing }).catch(() => null);
  return { input: {}, rerun: { state: 'missing', settings } };
}

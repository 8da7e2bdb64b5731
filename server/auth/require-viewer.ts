import 'server-only';
import { redirect } from 'next/navigation';
import type { Viewer } from '../accounts/schema';
import { createCaller } from '../trpc/caller';
import { toGatewayError } from '../trpc/format-error';

/** The signed-in person; whoever is not signed in is sent to do so and comes back to `path`. */
export async function requireViewer(path: string): Promise<Viewer> {
  const api = await createCaller();
  try {
    return await api.auth.viewer();
  } catch (error) {
    const { code } = toGatewayError(error);
    if (code !== 'AUTH_REQUIRED' && code !== 'AUTH_FAILED') throw error;
  }
  redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
}

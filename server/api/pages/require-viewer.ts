import 'server-only';
import { redirect } from 'next/navigation';
import { toGatewayError } from '../../core/trpc/format-error';
import type { Viewer } from '../../identity/accounts/schema';
import { createCaller } from '../trpc/caller';
import { readPageToken } from './page-token';

/** The signed-in person; whoever is not signed in is sent to do so and comes back to `path`. */
export async function requireViewer(path: string): Promise<Viewer> {
  const api = await createCaller();
  try {
    const viewer = await api.auth.viewer();
    // Next renders layout and page at the same time: the layout's token must not be newer than the page.
    await readPageToken();
    return viewer;
  } catch (error) {
    const { code } = toGatewayError(error);
    if (code !== 'AUTH_REQUIRED' && code !== 'AUTH_FAILED') throw error;
  }
  redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
}

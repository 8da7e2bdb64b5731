import 'server-only';
import { redirect } from 'next/navigation';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import type { Viewer } from '../../identity/accounts/schema';
import { createCaller } from '../trpc/caller';
import { readPageToken } from './page-token';

/** Returns the signed-in user, or redirects to sign-in, which returns to `path`. */
export async function requireViewer(path: string): Promise<Viewer> {
  const api = await createCaller();
  try {
    const viewer = await api.auth.viewer();
    // Next renders layout and page concurrently: the layout's token must not be newer than the
    // page.
    await readPageToken();
    return viewer;
  } catch (error) {
    const { code } = toGatewayError(error);
    if (code !== 'AUTH_REQUIRED' && code !== 'AUTH_FAILED') throw error;
  }
  redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
}

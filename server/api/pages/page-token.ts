import 'server-only';
import { cache } from 'react';
import { createCaller } from '../trpc/caller';

/**
 * The `live.token` of the page that is being rendered; empty where nobody is signed in. Read once a
 * request, before the page's own data: a change in between is then reported by the live channel.
 */
export const readPageToken = cache(async (): Promise<string> => {
  const api = await createCaller();
  const { token } = await api.live.token().catch(() => ({ token: '' }));
  return token;
});

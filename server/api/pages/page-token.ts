import 'server-only';
import { cache } from 'react';
import { createCaller } from '../trpc/caller';

/**
 * The `live.token` of the page that is being rendered; empty if signed out. Read once per request
 * and before the page's data, so that the live channel reports any change in between.
 */
export const readPageToken = cache(async (): Promise<string> => {
  const api = await createCaller();
  const { token } = await api.live.token().catch(() => ({ token: '' }));
  return token;
});

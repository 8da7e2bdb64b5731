import 'server-only';
import { cache } from 'react';
import { createCaller } from '../trpc/caller';

/** Cached per request: the layout and the page both need the key. */
export const readKeyPage = cache(async (id: string) => (await createCaller()).keys.page({ id }));

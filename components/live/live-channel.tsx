'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LiveName } from '@/server/core/live/schema';
import { openChannel } from './channel';
import { refreshLive } from './live-queries';
import { becomeLive } from './live-state';
import { createRefresher } from './refresher';

/**
 * Keeps what the dashboard shows up to date while it can be seen: the gateway says what has changed, and the queries of
 * that are asked again. Once, beside all pages.
 * @param token from `readPageToken`, read before what the page shows
 * @param userId whose page it is
 */
export function LiveChannel({ token, userId }: { token: string; userId: string }) {
  const queries = useQueryClient();
  // The token of the first render: later ones are the channel's own.
  const [first] = useState(token);

  useEffect(() => {
    const { tell, end } = createRefresher((name: LiveName) => refreshLive(queries, name));
    const close = openChannel({
      token: first,
      userId,
      onChange: tell,
      onState: becomeLive,
      onStranger: () => window.location.reload(),
    });
    return () => {
      close();
      end();
      becomeLive('connecting');
    };
  }, [queries, first, userId]);

  return null;
}

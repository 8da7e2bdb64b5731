'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LiveName } from '@/server/core/live/schema';
import { openChannel } from './channel';
import { refreshLive } from './live-queries';
import { setLiveState } from './live-state';
import { createRefresher } from './refresher';

/**
 * Keeps the dashboard's data up to date while the tab is visible: the gateway reports what has
 * changed, and the affected queries are refetched. Rendered once, around all pages.
 * @param token from `readPageToken`, read before the page's data
 * @param userId the user the page was rendered for
 */
export function LiveChannel({ token, userId }: { token: string; userId: string }) {
  const queries = useQueryClient();
  // The token of the first render; the channel tracks later ones itself.
  const [first] = useState(token);

  useEffect(() => {
    const { notify, end } = createRefresher((name: LiveName, at) => refreshLive(queries, name, at));
    const close = openChannel({
      token: first,
      userId,
      onChange: notify,
      onState: setLiveState,
      onOtherUser: () => window.location.reload(),
    });
    return () => {
      close();
      end();
      setLiveState('connecting');
    };
  }, [queries, first, userId]);

  return null;
}

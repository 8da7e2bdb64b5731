'use client';

import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type LiveState, openChannel } from './channel';

export type { LiveState };

import { refreshLive } from './live-queries';
import { createRefresher } from './refresher';

const LiveContext = createContext<LiveState>('connecting');

interface LiveProviderProps {
  /** From `live.token`, asked together with what the page shows. */
  token: string;
  children: ReactNode;
}

/**
 * Keeps what the dashboard shows up to date while it can be seen: the gateway says what has changed, and the queries of
 * that are asked again. Once, around all pages.
 */
export function LiveProvider({ token, children }: LiveProviderProps) {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  // The token of the first render: later ones are the channel's own.
  const [first] = useState(token);

  useEffect(() => {
    const { tell, end } = createRefresher((name: Parameters<typeof refreshLive>[1]) =>
      refreshLive(queries, name),
    );
    const close = openChannel({ token: first, onChange: tell, onState: setState });
    return () => {
      close();
      end();
    };
  }, [queries, first]);

  return <LiveContext value={state}>{children}</LiveContext>;
}

/** Whether what is shown follows by itself. */
export function useLive(): LiveState {
  return useContext(LiveContext);
}

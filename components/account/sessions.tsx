'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor } from 'lucide-react';
import { useRef } from 'react';
import { problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { ErrorState } from '../ui/error-state';
import { toast } from '../ui/toast';

export interface Session {
  id: string;
  current: boolean;
  created_at: string | null;
  expires_at: string;
}

/** The sessions of the account, the current one first. */
export function Sessions({ initial }: { initial: Session[] }) {
  const queries = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const query = useQuery({
    queryKey: queryKey.sessions,
    queryFn: async ({ signal }) => (await trpc.auth.sessions.query(undefined, { signal })).sessions,
    initialData: initial,
  });
  const end = useMutation({
    mutationFn: (id: string) => trpc.auth.endSession.mutate({ id }),
    onSuccess: async () => {
      toast.success('Session signed out');
      await queries.invalidateQueries({ queryKey: queryKey.sessions });
      list.current?.focus();
    },
    onError: (error) => toast.error('Could not sign out', { description: problemText(error) }),
  });
  const sessions = query.data.toSorted((a, b) => Number(b.current) - Number(a.current));
  return (
    <Card>
      <CardHeader title="Sessions" description="Browsers you’re signed in on." />
      {query.isError && sessions.length === 0 ? (
        <ErrorState onRetry={() => query.refetch()} retrying={query.isFetching}>
          {problemText(query.error)}
        </ErrorState>
      ) : (
        <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-y text-sm focus:outline-none">
          {sessions.map((session) => (
            <li key={session.id} className="flex items-center gap-3 px-4 py-3 sm:px-5">
              <Monitor aria-hidden className="size-4 shrink-0 text-muted max-sm:hidden" />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-2">
                  <span>
                    Signed in {session.created_at ? <DateTime at={session.created_at} /> : 'earlier'}
                  </span>
                  {session.current && <Badge tone="accent">This browser</Badge>}
                </p>
                <p className="text-muted">
                  Expires <DateTime at={session.expires_at} format="date" /> if inactive
                </p>
              </div>
              {!session.current && (
                <Button
                  size="sm"
                  busy={end.isPending && end.variables === session.id}
                  onClick={() => end.mutate(session.id)}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

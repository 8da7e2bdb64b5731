'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Session } from '@/server/identity/accounts/schema';
import { problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { ErrorState } from '../ui/error-state';
import { Monitor } from '../ui/icons';
import { toast } from '../ui/toast';

/** The sessions of the account, the current one first. */
export function Sessions({ initial }: { initial: Session[] }) {
  const queries = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const query = useQuery({
    queryKey: queryKey.sessions,
    queryFn: async ({ signal }) => (await trpc.auth.sessions.query(undefined, { signal })).sessions,
    initialData: initial,
  });
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: queryKey.sessions });
    list.current?.focus();
  };
  const end = useMutation({
    mutationFn: (id: string) => trpc.auth.endSession.mutate({ id }),
    onSuccess: async () => {
      toast.success('Session signed out');
      await refresh();
    },
    onError: (error) => toast.error('Could not sign out', { description: problemText(error) }),
  });

  async function endOthers() {
    await trpc.security.endOtherSessions.mutate();
    toast.success('Other sessions signed out');
    await refresh();
  }

  const sessions = query.data.toSorted((a, b) => Number(b.current) - Number(a.current));
  return (
    <Card>
      <CardHeader
        title="Sessions"
        description="Browsers you’re signed in on."
        actions={
          sessions.length > 1 && (
            <AlertDialog
              trigger={<Button size="sm">Sign out all others</Button>}
              title="Sign out all other sessions?"
              consequence={
                sessions.length === 2
                  ? 'The other browser has to sign in again. This one stays signed in.'
                  : `${sessions.length - 1} other browsers have to sign in again. This one stays signed in.`
              }
              confirmLabel="Sign out all others"
              onConfirm={endOthers}
            />
          )
        }
      />
      {query.isError && sessions.length === 0 ? (
        <ErrorState onRetry={() => query.refetch()} retrying={query.isFetching}>
          {problemText(query.error)}
        </ErrorState>
      ) : (
        <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-y text-sm focus:outline-none">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function SessionRow({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd: () => void }) {
  const { device, ip, created_at: createdAt, last_used_at: usedAt, expires_at: expiresAt } = session;
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <Monitor aria-hidden className="size-4 shrink-0 text-muted max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{device ?? 'Unknown browser'}</span>
          {ip && <span className="break-all text-muted">{ip}</span>}
          {session.current && <Badge tone="accent">This browser</Badge>}
        </p>
        <p className="text-muted">
          Signed in {createdAt ? <DateTime at={createdAt} format="date" /> : 'earlier'}
          {usedAt && (
            <>
              {' · '}last used <DateTime at={usedAt} format="age" />
            </>
          )}
          {' · '}expires <DateTime at={expiresAt} format="date" />
        </p>
      </div>
      {!session.current && (
        <Button size="sm" busy={busy} aria-label={`Sign out ${device ?? 'unknown browser'}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}

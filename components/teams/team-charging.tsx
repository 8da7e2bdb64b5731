'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { TeamDetail } from '@/server/identity/teams/schema';
import { callSamples } from '../shared/call-samples';
import { problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { teamCall } from '../shared/snippets';
import { trpc } from '../shared/trpc-provider';
import { useOrigin } from '../shared/use-origin';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CodeBlock } from '../ui/code-block';
import { Switch } from '../ui/switch';
import { toast } from '../ui/toast';

/** How an agent charges a call to the team. */
export function TeamCharging({ team }: { team: TeamDetail }) {
  const origin = useOrigin();
  return (
    <Card>
      <CardHeader
        title="Charge the team"
        description="A key of the team charges it without naming it. With a member’s own key, the call names the account that pays."
      />
      <CardBody className="flex flex-col gap-4">
        <CodeBlock
          label={`A call charged to ${team.name}`}
          samples={callSamples(origin, teamCall(team.slug))}
          bodyClassName="max-h-72"
        />
        <DefaultSwitch team={team} />
      </CardBody>
    </Card>
  );
}

function DefaultSwitch({ team }: { team: TeamDetail }) {
  const queries = useQueryClient();
  const id = useId();
  const choose = useMutation({
    mutationFn: (on: boolean) => trpc.teams.setDefault.mutate({ slug: on ? team.slug : null }),
    onError: (error) => toast.error('Could not save', { description: problemText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey.teams }),
  });
  return (
    <div className="flex items-start justify-between gap-4 border-t pt-4">
      <div className="min-w-0 text-sm">
        <p id={id} className="font-medium">
          Your default team
        </p>
        <p id={`${id}-hint`} className="text-muted">
          The team charged by <code className="font-mono text-ink">"billing": "team"</code> in calls with your
          keys. Only needed if you are in several teams.
        </p>
      </div>
      <Switch
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        checked={choose.isPending ? choose.variables : team.is_default}
        disabled={choose.isPending}
        onCheckedChange={(on) => choose.mutate(on)}
      />
    </div>
  );
}

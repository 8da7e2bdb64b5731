'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { TeamSummary } from '@/server/identity/teams/schema';
import type { BlockedKey } from '@/server/usage/attention-schema';
import { useBlockedKeys, useKeys } from '../shared/queries';
import { Card, CardHeader } from '../ui/card';
import { DataTable } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { ArrowRight, KeyRound } from '../ui/icons';
import { CreateKey } from './create-key';
import { buildStatusColumn, KEY_COLUMNS } from './keys-table';

const SHOWN_KEYS = 5;

interface TeamKeysProps {
  initial: ApiKey[];
  /** Those whose calls a limit refuses now. */
  blocked: BlockedKey[];
  team: Pick<TeamSummary, 'slug' | 'name' | 'role' | 'available_usd'>;
}

/** The newest keys of a team on its page. */
export function TeamKeys({ initial, blocked: firstBlocked, team }: TeamKeysProps) {
  const all = useKeys(initial, team.slug).data;
  const blocked = useBlockedKeys(firstBlocked, team.slug);
  const status = buildStatusColumn({ blocked, broke: team.available_usd <= 0 });
  const keys = all.filter(({ status }) => status === 'active');
  const [creating, setCreating] = useState(false);
  return (
    <Card id="keys">
      <CardHeader
        title="Keys"
        description="They charge the team without naming it in calls, and stay when a member leaves."
        actions={
          team.role !== 'member' && <CreateKey team={team} open={creating} onOpenChange={setCreating} />
        }
      />
      <DataTable
        caption="Keys of the team"
        columns={[...KEY_COLUMNS, status]}
        rows={keys.slice(0, SHOWN_KEYS)}
        keyOf={(key) => key.id}
        hrefOf={(key) => `/dashboard/keys/${key.id}`}
        problem={null}
        empty={
          <EmptyState icon={<KeyRound />} title={all.length > 0 ? 'No active team keys' : 'No team keys yet'}>
            An agent with a team key needs nothing else to charge the team.
          </EmptyState>
        }
      />
      {all.length > 0 && (
        <p className="border-t px-4 py-3 text-sm sm:px-5">
          <Link
            href={`/dashboard/keys?billing=${encodeURIComponent(team.slug)}`}
            className="link inline-flex items-center gap-1"
          >
            All keys of the team
            <ArrowRight aria-hidden className="size-3.5" />
          </Link>
        </p>
      )}
    </Card>
  );
}

import type { ReactNode } from 'react';
import type { GivenRole, InvitationPreview } from '@/server/identity/teams/schema';
import { DateTime } from '../ui/date-time';

const MAY: Record<GivenRole, string> = {
  member: 'Member: can spend its balance',
  admin: 'Admin: can spend its balance, buy credit and manage members, keys and limits',
};

/** The details of an invitation: team, inviter, invited address, role and expiry. */
export function JoinFacts({ preview }: { preview: InvitationPreview }) {
  return (
    <dl className="divide-y rounded-lg border text-sm">
      <Fact name="Team">{preview.team_name}</Fact>
      <Fact name="Invited by">{preview.inviter ?? 'Deleted account'}</Fact>
      <Fact name="Email">{preview.email}</Fact>
      {preview.role && <Fact name="Role">{MAY[preview.role]}</Fact>}
      {preview.expires_at && (
        <Fact name="Expires">
          <DateTime at={preview.expires_at} format="date" />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-4 px-4 py-2.5">
      <dt className="w-24 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

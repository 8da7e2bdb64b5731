import type { ReactNode } from 'react';
import type { GivenRole, InvitationPreview } from '@/server/identity/teams/schema';
import { DateTime } from '../ui/date-time';

const MAY: Record<GivenRole, string> = {
  member: 'Member: spend from its balance',
  admin: 'Admin: spend from its balance, buy credit for it, manage who is in it',
};

/** Who invites whom into what. */
export function JoinFacts({ preview }: { preview: InvitationPreview }) {
  return (
    <dl className="divide-y rounded-lg border text-sm">
      <Fact name="Team">{preview.team_name}</Fact>
      <Fact name="Invited by">{preview.inviter ?? 'Deleted account'}</Fact>
      <Fact name="For">{preview.email}</Fact>
      {preview.role && <Fact name="As">{MAY[preview.role]}</Fact>}
      {preview.expires_at && (
        <Fact name="Until">
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

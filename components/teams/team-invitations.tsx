'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SentInvitation, TeamDetail, TeamInvitation } from '@/server/identity/teams/schema';
import { problemText, withProblemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { RoleBadge } from '../shared/role-badge';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { toast } from '../ui/toast';
import { InvitationSentDialog } from './invitation-sent';

/** Pending invitations. Hidden if there are none: the invite button is above. */
export function TeamInvitations({ team }: { team: TeamDetail }) {
  const [sent, setSent] = useState<SentInvitation | null>(null);
  if (team.invitations.length === 0 && !sent) return null;
  return (
    <Card>
      <CardHeader title="Invitations" description="Pending invitations. Links work for 7 days." />
      <Table caption="Invitations">
        <Thead>
          <Th>Email</Th>
          <Th>Role</Th>
          <Th>Invited by</Th>
          <Th>Expires</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </Thead>
        <Tbody>
          {team.invitations.map((invitation) => (
            <Tr key={invitation.id}>
              <Td head className="wrap-anywhere sm:min-w-48">
                <span className="min-w-0">{invitation.email}</span>
              </Td>
              <Td label="Role">
                <RoleBadge role={invitation.role} />
              </Td>
              <Td label="Invited by" className="wrap-anywhere sm:min-w-40">
                <span className="min-w-0 break-words">{invitation.invited_by ?? 'Deleted account'}</span>
              </Td>
              <Td label="Expires">
                {invitation.expired ? (
                  <Badge tone="warning">Expired</Badge>
                ) : (
                  <DateTime at={invitation.expires_at} format="date" />
                )}
              </Td>
              <Td className="sm:text-right">
                <span className="inline-flex gap-2">
                  <SendAgain team={team} invitation={invitation} onSent={setSent} />
                  <Revoke team={team} invitation={invitation} />
                </span>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      <InvitationSentDialog sent={sent} onClose={() => setSent(null)} />
    </Card>
  );
}

interface InvitationProps {
  team: TeamDetail;
  invitation: TeamInvitation;
}

function SendAgain({
  team,
  invitation,
  onSent,
}: InvitationProps & { onSent: (sent: SentInvitation) => void }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function send() {
    const { email, role } = invitation;
    setBusy(true);
    try {
      onSent(await trpc.teams.invite.mutate({ slug: team.slug, email, role }));
      await queries.invalidateQueries({ queryKey: queryKey.team(team.slug) });
    } catch (error) {
      toast.error('Could not send', { description: problemText(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button size="sm" busy={busy} onClick={send} aria-label={`Send again to ${invitation.email}`}>
      Send again
    </Button>
  );
}

function Revoke({ team, invitation }: InvitationProps) {
  const queries = useQueryClient();

  async function confirm() {
    await withProblemText(trpc.teams.revokeInvitation.mutate({ slug: team.slug, id: invitation.id }));
    toast.success(`Revoked the invitation for ${invitation.email}`);
    await queries.invalidateQueries({ queryKey: queryKey.team(team.slug) });
  }

  return (
    <AlertDialog
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Revoke the invitation for ${invitation.email}`}>
          Revoke
        </Button>
      }
      title={`Revoke the invitation for ${invitation.email}?`}
      consequence={`The link stops working. You can invite them again at any time.`}
      confirmLabel="Revoke invitation"
      onConfirm={confirm}
    />
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import type { SignUpInvitation, SignUpInvitations, SignUpState } from '@/server/identity/sign-up/schema';
import { trpc } from '../shared/trpc-provider';
import { InputProblem } from '../shared/use-submit';
import { Badge } from '../ui/badge';
import { Card, CardBody, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { MailPlus } from '../ui/icons';
import { PageHeader } from '../ui/page-header';
import { ActDialog } from './act-dialog';
import { Facts } from './facts';
import { listPaging, listProblem, usePages } from './pages';

type Policy = SignUpState['current'];

const POLICIES = [
  { value: 'open', label: 'Open: everyone' },
  { value: 'invite', label: 'By invitation' },
  { value: 'domains', label: 'Certain email domains, and by invitation' },
] as const;

function describePolicy({ policy, domains }: Policy): string {
  if (policy === 'open') return 'Open: everyone';
  if (policy === 'invite') return 'By invitation';
  return `Addresses at ${domains.join(', ')}, and by invitation`;
}

/** Who may sign up, and invitations. */
export function SignUpView({ state: first, initial }: { state: SignUpState; initial: SignUpInvitations }) {
  const { data: state } = useQuery({
    queryKey: ['operator', 'sign-up'],
    queryFn: ({ signal }) => trpc.operator.signUp.get.query(undefined, { signal }),
    initialData: first,
  });
  return (
    <>
      <PageHeader
        title="Sign-up"
        description="Who may create an account. People who have one, operators and support always get in; team invitations admit too."
        actions={<PolicyActs state={state} />}
      />
      <Card>
        <CardBody>
          <Facts
            rows={[
              ['Who may sign up', describePolicy(state.current)],
              ['Chosen', state.overridden ? 'Here' : 'In the settings'],
              ['Settings', describePolicy(state.settings)],
              ['Keys without sign-up', state.provisioning ? 'Open' : 'Closed'],
            ]}
          />
        </CardBody>
      </Card>
      <Invitations initial={initial} />
    </>
  );
}

function PolicyActs({ state }: { state: SignUpState }) {
  const { policy, domains } = state.current;
  return (
    <span className="flex flex-wrap gap-2">
      {state.overridden && (
        <ActDialog
          label="Use settings"
          size="md"
          title="Return to the settings?"
          consequence={`From the next sign-up on: ${describePolicy(state.settings)}.`}
          confirmLabel="Use settings"
          done="The settings apply"
          act={() => trpc.operator.signUp.set.mutate({ choice: null })}
        />
      )}
      <ActDialog
        label="Change"
        variant="primary"
        size="md"
        title="Change who may sign up"
        consequence="Applies from the next sign-up on, without a restart. Existing accounts are not affected."
        confirmLabel="Save"
        fields={[
          { name: 'policy', label: 'Who may sign up', options: POLICIES, defaultValue: policy },
          {
            name: 'domains',
            label: 'Email domains',
            hint: 'Separated by commas, such as example.com. Subdomains are not included.',
            defaultValue: domains.join(', '),
          },
        ]}
        done="Sign-up changed"
        act={async ({ policy: wanted = '', domains: text = '' }) => {
          const chosen = POLICIES.find(({ value }) => value === wanted)?.value;
          if (!chosen) throw new InputProblem('Who may sign up: choose one.');
          const named = text.split(/[\s,]+/).filter(Boolean);
          await trpc.operator.signUp.set.mutate({ choice: { policy: chosen, domains: named } });
        }}
      />
    </span>
  );
}

const STATES = {
  open: ['accent', 'Open'],
  used: ['success', 'Used'],
  expired: ['neutral', 'Expired'],
} as const;

const COLUMNS: readonly Column<SignUpInvitation>[] = [
  { id: 'email', title: 'Email', phone: 'title', className: 'break-all', cell: ({ email }) => email },
  {
    id: 'state',
    title: 'State',
    phone: 'note',
    cell: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>,
  },
  {
    id: 'expires',
    title: 'Expires',
    phone: 'aside',
    className: 'text-muted',
    cell: ({ state, expires_at }) => (state === 'used' ? '—' : <DateTime at={expires_at} format="date" />),
  },
  {
    id: 'acts',
    title: 'Actions',
    titleHidden: true,
    phone: 'corner',
    className: 'text-right',
    cell: ({ id, email, state }) =>
      state !== 'used' && (
        <ActDialog
          label="Delete"
          title={`Delete the invitation of ${email}?`}
          consequence="The address can then sign up only if the policy admits it."
          confirmLabel="Delete invitation"
          danger
          done="Invitation deleted"
          act={() => trpc.operator.signUp.uninvite.mutate({ id })}
        />
      ),
  },
];

function Invitations({ initial }: { initial: SignUpInvitations }) {
  const query = usePages(
    'sign-up-invitations',
    {},
    (cursor, signal) => trpc.operator.signUp.invitations.query({ cursor }, { signal }),
    initial,
  );
  const invitations = query.data?.pages.flatMap((page) => page.invitations);
  return (
    <Card>
      <CardHeader title="Invitations" actions={<Invite />} />
      <DataTable
        caption="Invitations, newest first"
        columns={COLUMNS}
        rows={invitations}
        keyOf={({ id }) => id}
        problem={listProblem(query, 'The invitations could not be loaded')}
        paging={listPaging(query, invitations?.length ?? 0, 'invitation')}
        empty={
          <EmptyState icon={<MailPlus />} title="No invitations yet">
            An invited address may sign up whatever the policy is. The first sign-in uses the invitation up.
          </EmptyState>
        }
      />
    </Card>
  );
}

function Invite() {
  return (
    <ActDialog
      label="Invite"
      title="Invite an address to sign up"
      consequence="The address gets an email with a link to the sign-in page."
      confirmLabel="Send invitation"
      fields={[{ name: 'email', label: 'Email address' }]}
      done="Invitation created"
      act={async ({ email = '' }) => {
        const { mail } = await trpc.operator.signUp.invite.mutate({ email });
        if (mail !== 'sent')
          throw new InputProblem(
            mail === 'failed'
              ? 'The invitation is valid, but its email could not be sent. Send the link to the sign-in page yourself.'
              : 'The invitation is valid, but this gateway has no mail server (SMTP_URL). Send the link to the sign-in page yourself.',
          );
      }}
    />
  );
}

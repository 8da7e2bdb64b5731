import type { Incident, IncidentState } from '@/server/operations/operator/status/schema';
import { trpc } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Megaphone } from '../ui/icons';
import { ActDialog } from './act-dialog';

const STATES = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
} satisfies Record<IncidentState, string>;
const UPDATE_OPTIONS = Object.entries(STATES).map(([value, label]) => ({ value, label }));

/** The incidents on the public status page. */
export function IncidentsCard({ incidents }: { incidents: Incident[] }) {
  return (
    <Card>
      <CardHeader
        title="Incidents"
        description="Shown to everyone on the status page."
        actions={<PostDialog />}
      />
      <DataTable
        caption="Incidents, open ones first"
        columns={COLUMNS}
        rows={incidents}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<Megaphone />} title="No incidents">
            Post one to tell people about a problem and when it is over.
          </EmptyState>
        }
      />
    </Card>
  );
}

function PostDialog() {
  return (
    <ActDialog
      label="Post incident"
      title="Post an incident"
      consequence="Everyone can read it on the status page at once."
      confirmLabel="Post incident"
      fields={[
        { name: 'title', label: 'Title', hint: 'For example: Slow image generation.' },
        {
          name: 'impact',
          label: 'Impact',
          options: [
            { value: 'minor', label: 'Minor' },
            { value: 'major', label: 'Major' },
          ],
        },
        { name: 'message', label: 'Message', rows: 3 },
      ]}
      done="Incident posted"
      act={({ title = '', impact, message = '' }) =>
        trpc.operator.incidents.post.mutate({
          title,
          impact: impact === 'major' ? 'major' : 'minor',
          message,
        })
      }
    />
  );
}

function UpdateDialog({ incident }: { incident: Incident }) {
  return (
    <ActDialog
      label="Update"
      title={`Update “${incident.title}”`}
      consequence="“Resolved” closes the incident."
      confirmLabel="Post update"
      fields={[
        {
          name: 'state',
          label: 'State',
          options: UPDATE_OPTIONS,
          defaultValue: incident.updates[0]?.state ?? 'identified',
        },
        { name: 'message', label: 'Message', rows: 3 },
      ]}
      done="Update posted"
      act={({ state, message = '' }) =>
        trpc.operator.incidents.update.mutate({
          incident_id: incident.id,
          state: state !== undefined && state in STATES ? (state as IncidentState) : 'identified',
          message,
        })
      }
    />
  );
}

const COLUMNS: readonly Column<Incident>[] = [
  {
    id: 'title',
    title: 'Incident',
    phone: 'title',
    className: 'max-w-96',
    cell: ({ title, updates }) => (
      <>
        <span className="block">{title}</span>
        <span className="block truncate font-normal text-muted text-sm">{updates[0]?.message}</span>
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    phone: 'note',
    cell: ({ updates, resolved_at }) => (
      <Badge tone={resolved_at ? 'success' : 'warning'}>{STATES[updates[0]?.state ?? 'investigating']}</Badge>
    ),
  },
  {
    id: 'posted',
    title: 'Posted',
    phone: 'aside',
    className: 'text-muted',
    cell: ({ created_at }) => <DateTime at={created_at} format="exact" />,
  },
  {
    id: 'act',
    title: 'Actions',
    titleHidden: true,
    phone: 'corner',
    className: 'text-right',
    // Never null: a hidden cell would move the badge up to the title on a phone.
    cell: (incident) => (incident.resolved_at ? '' : <UpdateDialog incident={incident} />),
  },
];

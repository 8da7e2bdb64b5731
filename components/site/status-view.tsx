import type { Incident, Status, StatusComponent } from '@/server/operations/operator/status/schema';
import { formatCount, formatDuration } from '../shared/format';
import { Badge } from '../ui/badge';
import { Card, CardBody, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { DateTime } from '../ui/date-time';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { Stat } from '../ui/stat';

const STATES = {
  operational: { tone: 'success', word: 'Operational' },
  degraded: { tone: 'warning', word: 'Degraded' },
  down: { tone: 'danger', word: 'Outage' },
} as const;
const TITLES = {
  operational: 'All systems operational',
  degraded: 'Some systems are degraded',
  down: 'The gateway has an outage',
} as const;
const UPDATES = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
} as const;

/** The public status: now, the last 90 days, the latency of calls, and incidents. */
export function StatusPageView({ status }: { status: Status }) {
  const open = status.incidents.filter(({ resolved_at }) => resolved_at === null);
  const past = status.incidents.filter(({ resolved_at }) => resolved_at !== null);
  const isSeen = status.components.some(({ state }) => state !== 'operational');
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-6 px-4 pt-10 sm:px-6 sm:pt-14">
      <PageHeader
        title="Status"
        description={
          <>
            Checked <DateTime at={status.checked_at} format="age" />. Machines read{' '}
            <a href="/healthz" className="link">
              /healthz
            </a>
            .
          </>
        }
      />
      <Notice
        tone={STATES[status.state].tone}
        title={open.length > 0 && !isSeen ? 'There is an open incident' : TITLES[status.state]}
      />
      {open.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
      <Card>
        <CardHeader title="Systems" description="Uptime of the last 90 days, in UTC." />
        <ul className="divide-y">
          {status.components.map((component) => (
            <Component key={component.id} component={component} />
          ))}
        </ul>
      </Card>
      {status.latency && (
        <Card>
          <CardHeader
            title="Calls"
            description={`${formatCount(status.latency.calls, 'successful call')} in the last 24 hours.`}
          />
          <CardBody>
            <dl className="grid grid-cols-2 gap-5 sm:grid-cols-3">
              <Stat label="Median latency" value={formatDuration(status.latency.p50_ms)} />
              <Stat label="95th percentile" value={formatDuration(status.latency.p95_ms)} />
            </dl>
          </CardBody>
        </Card>
      )}
      <section aria-labelledby="past-incidents" className="flex flex-col gap-4">
        <h2 id="past-incidents" className="font-semibold text-lg">
          Past incidents
        </h2>
        {past.length === 0 && <p className="text-muted text-sm">No past incidents</p>}
        {past.map((incident) => (
          <IncidentCard key={incident.id} incident={incident} />
        ))}
      </section>
    </div>
  );
}

function Component({ component }: { component: StatusComponent }) {
  const { name, state, note, uptime, days } = component;
  const monitored = days.filter((day) => day.uptime !== null).length;
  // Until all days are monitored, the share alone would look like one of 90 days.
  const summary =
    uptime === null ? 'no samples yet' : `${formatUptime(uptime)} over ${formatCount(monitored, 'day')}`;
  return (
    <li className="flex flex-col gap-2 px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium">{name}</h3>
        <span className="flex items-center gap-3 text-sm">
          {uptime !== null && (
            <span className="text-muted tabular-nums">
              {monitored === days.length ? `${formatUptime(uptime)} uptime` : summary}
            </span>
          )}
          <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
        </span>
      </div>
      {note && <p className="text-muted text-sm">{note}</p>}
      <div role="img" aria-label={`Uptime of ${name}: ${summary}`} className="flex h-8 gap-px">
        {days.map((day) => (
          <span
            key={day.day}
            title={`${day.day}: ${describeDay(day)}`}
            className={cn('min-w-0 flex-1 rounded-xs', dayColor(day))}
          />
        ))}
      </div>
      <div aria-hidden className="flex justify-between text-muted text-xs">
        <span>90 days ago</span>
        <span>Today</span>
      </div>
    </li>
  );
}

function describeDay({ uptime, degraded }: StatusComponent['days'][number]): string {
  if (uptime === null) return 'not monitored';
  return `${formatUptime(uptime)}${degraded ? ', degraded at times' : ''}`;
}

/** Less uptime on a day counts as an outage of that day. */
const OUTAGE_BELOW = 0.95;

function dayColor({ uptime, degraded }: StatusComponent['days'][number]): string {
  if (uptime === null) return 'bg-line';
  if (uptime < OUTAGE_BELOW) return 'bg-danger';
  return uptime < 1 || degraded ? 'bg-warning' : 'bg-success';
}

/** Never rounded up to 100%. */
function formatUptime(share: number): string {
  return share === 1 ? '100%' : `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
}

function IncidentCard({ incident }: { incident: Incident }) {
  return (
    <Card>
      <CardHeader
        title={incident.title}
        level={incident.resolved_at ? 3 : 2}
        description={<DateTime at={incident.created_at} format="date" />}
        actions={
          <Badge tone={incident.resolved_at ? 'success' : incident.impact === 'major' ? 'danger' : 'warning'}>
            {incident.resolved_at ? 'Resolved' : incident.impact === 'major' ? 'Major' : 'Minor'}
          </Badge>
        }
      />
      <CardBody>
        <ol className="flex flex-col gap-4">
          {incident.updates.map(({ at, state, message }) => (
            <li key={at} className="text-sm">
              <p className="font-medium">
                {UPDATES[state]}
                <span className="ml-2 font-normal text-muted">
                  <DateTime at={at} format="exact" />
                </span>
              </p>
              <p className="whitespace-pre-line break-words">{message}</p>
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}

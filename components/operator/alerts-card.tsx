import Link from 'next/link';
import type { Alerts } from '@/server/operations/operator/alerts/schema';
import { formatCount } from '../shared/format';
import { trpc } from '../shared/trpc-provider';
import { Card, CardBody, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { Notice } from '../ui/notice';
import { ActDialog } from './act-dialog';
import { Facts } from './facts';

/** Where alerts go, whether they arrive, and which problems are open. */
export function AlertsCard({ alerts }: { alerts: Alerts }) {
  const { emails, webhook, open, undelivered } = alerts;
  const isSetUp = emails.length > 0 || webhook;
  return (
    <Card>
      <CardHeader
        title="Alerts"
        description="Failing jobs, reconcile differences, failing tools and payment webhooks, a full disk or a lost database."
        actions={isSetUp && <TestDialog alerts={alerts} />}
      />
      <CardBody className="flex flex-col gap-4">
        {!isSetUp && (
          <Notice tone="warning" title="Nobody is alerted">
            Set ALERT_EMAILS or ALERT_WEBHOOK_URL and restart the gateway.
          </Notice>
        )}
        {emails.length > 0 && !alerts.mail_works && (
          <Notice tone="warning" title="Emails cannot be sent">
            Set SMTP_URL to send alerts by email.
          </Notice>
        )}
        {undelivered.map(({ channel, failed, error }) => (
          <Notice
            key={channel}
            tone="danger"
            title={`${formatCount(failed, 'alert')} by ${channel} could not be delivered`}
          >
            {error}
          </Notice>
        ))}
        <Facts
          rows={[
            ['Email', emails.length > 0 ? emails.join(', ') : 'Not set'],
            ['Webhook', webhook ? 'Set' : 'Not set'],
          ]}
        />
        {open.length === 0 ? (
          <p className="text-muted text-sm">No open alerts</p>
        ) : (
          <ul aria-label="Open alerts" className="flex flex-col gap-2">
            {open.map(({ id, title, path, opened_at }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 text-sm">
                <Link href={path} prefetch={false} className="link">
                  {title}
                </Link>
                <span className="text-muted">
                  since <DateTime at={opened_at} format="exact" />
                </span>
              </li>
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  );
}

function TestDialog({ alerts: { emails, webhook } }: { alerts: Alerts }) {
  const to = [...emails, ...(webhook ? ['the webhook'] : [])];
  return (
    <ActDialog
      label="Send test alert"
      title="Send a test alert?"
      consequence={`It goes to ${to.join(', ')}.`}
      confirmLabel="Send test alert"
      done="Test alert sent"
      act={async () => {
        const { failed } = await trpc.operator.alerts.test.mutate();
        if (failed > 0)
          throw new Error('Not every recipient accepted the alert. The reason is on this page.');
      }}
    />
  );
}

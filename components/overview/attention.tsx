import type { ReactNode } from 'react';
import type { Attention } from '@/server/usage/attention-schema';
import { formatCount } from '../shared/format';
import { findRefusalCause, findRemedyLink } from '../shared/refusal-cause';
import { buttonClass } from '../ui/button-class';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { Ban, CircleAlert, type IconComponent, TriangleAlert } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { refusalsHref } from '../usage/view';

type Now = Attention['now'][number];
type Past = Attention['past'][number];

interface AttentionCardProps {
  attention: Attention;
  /** The slug of the selected team; undefined for the personal account. */
  billing: string | undefined;
}

/**
 * What refuses calls now, then what did in the last 24 hours and is not repaired, each with its
 * reason and what to do.
 */
export function AttentionCard({ attention: { now, past, ...more }, billing }: AttentionCardProps) {
  const all = refusalsHref({ billing, period: '24h' });
  const leftOut = more.now_left_out + more.past_left_out;
  return (
    <Card>
      <CardHeader
        title="Needs attention"
        actions={
          <IntentLink href={all} className="link text-sm">
            All refused calls
          </IntentLink>
        }
      />
      <ul aria-label="Needs attention" className="divide-y">
        {now.map((row) => (
          <li key={`${row.key_id} ${row.error_code} ${row.limit}`}>
            <NowRow row={row} billing={billing} />
          </li>
        ))}
        {past.map((row) => (
          <li key={`${row.key_id} ${row.error_code} ${row.limit}`}>
            <PastRow row={row} billing={billing} />
          </li>
        ))}
      </ul>
      {leftOut > 0 && (
        <p className="border-t px-4 py-3 text-muted text-sm sm:px-5">
          And {formatCount(leftOut, 'more')}:{' '}
          <IntentLink href={all} className="link">
            all refused calls
          </IntentLink>
        </p>
      )}
    </Card>
  );
}

function NowRow({ row, billing }: { row: Now; billing: string | undefined }) {
  const { title, remedy } = findRefusalCause(row);
  return (
    <Row
      icon={Ban}
      tone="text-danger"
      title={title}
      facts={
        <>
          <Subject row={row} keys={row.keys} /> refused now
          {row.retry_at !== null && (
            <>
              , until <DateTime at={row.retry_at} format="exact" />
            </>
          )}
          .{' '}
          {row.refused > 0 ? (
            <>
              {formatCount(row.refused, 'call')} refused since <DateTime at={row.since} format="exact" />.{' '}
            </>
          ) : (
            <>
              The last was refused <DateTime at={row.last_at} format="exact" />.{' '}
            </>
          )}
          {remedy}
        </>
      }
      link={findRemedyLink({ ...row, tool: null }, billing)}
    />
  );
}

function PastRow({ row, billing }: { row: Past; billing: string | undefined }) {
  const { title, remedy } = findRefusalCause(row);
  const { key_id: key, error_code: error } = row;
  const requests = {
    href: refusalsHref({ billing, period: '24h', key_id: key ?? undefined, error_code: error }),
    label: 'See what was wrong',
  };
  return (
    <Row
      icon={row.is_input ? CircleAlert : TriangleAlert}
      tone={row.is_input ? 'text-muted' : 'text-warning'}
      title={title}
      facts={
        <>
          <Subject row={row} keys={1} tool={nameTools(row)} /> {formatCount(row.refused, 'call')} refused in
          the last 24 hours, the last <DateTime at={row.last_at} format="exact" />. {remedy}
        </>
      }
      message={row.message}
      link={(row.is_input ? null : findRemedyLink(row, billing)) ?? requests}
    />
  );
}

/** `, tool math.evaluate`, `, 3 tools`, or nothing if none exists. */
function nameTools({ tool, skill, tools }: Past): string {
  if (tool !== null) return `, tool ${skill === null ? tool : `${tool}.${skill}`}`;
  return tools > 0 ? `, ${formatCount(tools, 'tool')}` : '';
}

interface SubjectProps {
  row: Now | Past;
  keys: number;
  tool?: string;
}

/** `Key agent:`, or how many keys share the limit. */
function Subject({ row: { key_id: id, key_name: name, kind }, keys, tool = '' }: SubjectProps) {
  if (name === null) return `${formatCount(keys, 'key')}:`;
  if (id === null || kind !== 'api') return `${name}${tool}:`;
  return (
    <>
      Key{' '}
      <IntentLink href={`/dashboard/keys/${id}`} className="link inline-block break-words py-0.5">
        {name}
      </IntentLink>
      {tool}:
    </>
  );
}

interface RowProps {
  icon: IconComponent;
  tone: string;
  title: string;
  facts: ReactNode;
  /** What the last of the calls got. */
  message?: string | null;
  link: { href: string; label: string } | null;
}

function Row({ icon: Icon, tone, title, facts, message = null, link }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm sm:px-5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 self-start ${tone}`} />
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{title}</p>
        <p className="mt-0.5 break-words text-muted">{facts}</p>
        {message !== null && <p className="mt-0.5 line-clamp-2 break-words">“{message}”</p>}
      </div>
      {link && (
        <IntentLink href={link.href} className={buttonClass({ size: 'sm', className: 'max-sm:ml-8' })}>
          {link.label}
        </IntentLink>
      )}
    </div>
  );
}

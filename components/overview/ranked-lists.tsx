'use client';

import type { ReactNode } from 'react';
import type { UsageErrors, UsageFilter, UsageReport } from '@/server/usage/schema';
import { formatCount } from '../shared/format';
import { OVERVIEW_PERIODS } from '../shared/period';
import { useUrlChoice } from '../shared/use-url-choice';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';
import { IntentLink } from '../ui/intent-link';
import { countDecimals, Money } from '../ui/money';
import { codeWords } from '../usage/code-words';
import { type InitialData, useErrors, useReport } from '../usage/queries';
import { errorsHref, toErrorsFilter, writeView } from '../usage/view';

/** Rows of each list: the first ones of the page that it leads to. */
const ROWS = 5;

interface RankedListsProps {
  filter: UsageFilter;
  report: InitialData<UsageReport>;
  errors: InitialData<UsageErrors>;
}

/** The leading tools, keys and errors of the chosen period, each linked to its calls. */
export function RankedLists({ filter, report: firstReport, errors: firstErrors }: RankedListsProps) {
  const [period] = useUrlChoice('period', OVERVIEW_PERIODS);
  const whole = { ...filter, period };
  const report = useReport(whole, firstReport);
  const errors = useErrors(toErrorsFilter(whole), firstErrors);
  if (!report.data) return null;
  const { by_tool: tools, by_key: keys, totals } = report.data;
  const shown = [...tools.slice(0, ROWS), ...keys.slice(0, ROWS)];
  const decimals = countDecimals(shown.map((row) => row.cost_usd));
  const figure = (row: { cost_usd: number; calls: number }) => ({
    value:
      totals.cost_usd > 0 ? <Money usd={row.cost_usd} exact decimals={decimals} /> : formatNumber(row.calls),
    note: totals.cost_usd > 0 ? formatCount(row.calls, 'call') : undefined,
  });
  const usage = (change: UsageFilter) => `/dashboard/usage${writeView({ ...whole, ...change })}`;
  const title = totals.cost_usd > 0 ? 'by spend' : 'by calls';
  return (
    <div className="grid gap-6 lg:grid-cols-3">
      <RankedList
        title={`Tools ${title}`}
        stale={report.isPlaceholderData}
        all={{ href: usage({}), label: 'All tools' }}
        empty="No calls in this period."
        rows={tools.slice(0, ROWS).map((row) => ({
          id: row.tool,
          name: row.tool,
          href: usage({ tool: row.tool }),
          ...figure(row),
        }))}
      />
      <RankedList
        title={`Keys ${title}`}
        stale={report.isPlaceholderData}
        all={{ href: `${usage({})}${usage({}).includes('?') ? '&' : '?'}by=key`, label: 'All keys' }}
        empty="No calls in this period."
        rows={keys.slice(0, ROWS).map((row) => ({
          id: row.key_id,
          name: row.name,
          href: usage({ key_id: row.key_id }),
          ...figure(row),
        }))}
      />
      <RankedList
        title="Errors"
        stale={errors.isPlaceholderData}
        all={{ href: errorsHref(whole), label: 'All errors' }}
        empty={errors.isError ? 'The errors could not be loaded.' : 'No call failed in this period.'}
        rows={(errors.data?.errors ?? []).slice(0, ROWS).map(({ tool, error_code, calls, last_at: at }) => ({
          id: `${tool} ${error_code}`,
          name: `${tool}: ${codeWords(error_code)}`,
          href: errorsHref({ ...whole, tool, error_code }),
          value: formatNumber(calls),
          note: (
            <>
              last seen <DateTime at={at} format="age" />
            </>
          ),
        }))}
      />
    </div>
  );
}

interface RankedRow {
  id: string;
  name: string;
  href: string;
  value: ReactNode;
  note: ReactNode;
}

interface RankedListProps {
  title: string;
  rows: readonly RankedRow[];
  all: { href: string; label: string };
  empty: string;
  stale: boolean;
}

function RankedList({ title, rows, all, empty, stale }: RankedListProps) {
  return (
    <Card className="min-w-0">
      <CardHeader
        title={title}
        actions={
          rows.length > 0 && (
            <IntentLink href={all.href} className="link text-sm">
              {all.label}
            </IntentLink>
          )
        }
      />
      {rows.length === 0 ? (
        <p className="px-4 py-6 text-muted text-sm sm:px-5">{empty}</p>
      ) : (
        <ol
          aria-label={title}
          aria-busy={stale}
          className={cn('divide-y transition-opacity', stale && 'opacity-60')}
        >
          {rows.map(({ id, name, href, value, note }) => (
            <li key={id} className="flex items-baseline gap-4 px-4 py-2 text-sm sm:px-5">
              <IntentLink
                href={href}
                className="min-w-0 flex-1 break-words rounded-sm py-0.5 hover:underline"
              >
                {name}
              </IntentLink>
              <span className="shrink-0 text-right tabular-nums">
                <span className="block font-medium">{value}</span>
                {note && <span className="block text-muted text-xs">{note}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

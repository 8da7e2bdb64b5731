'use client';

import { useRef } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import { CALL_ERROR_CODES, MAX_COUNTED_FAILURES, NO_ERROR_CODE } from '@/server/usage/limits';
import type { UsageCalls, UsageChoices, UsageErrors, UsageFilter } from '@/server/usage/schema';
import { errorHint } from '../shared/error-hint';
import { problemText } from '../shared/problem';
import { ReportSkeleton } from '../shared/report-states';
import { gatewayError } from '../shared/trpc-provider';
import { Card, CardBody } from '../ui/card';
import { cn } from '../ui/cn';
import { DateTime } from '../ui/date-time';
import { ErrorState } from '../ui/error-state';
import { formatNumber } from '../ui/format-number';
import { IntentLink } from '../ui/intent-link';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { Stat } from '../ui/stat';
import { CallsList } from './calls-list';
import { codeWords } from './code-words';
import { ErrorRows } from './error-rows';
import { FilterBar } from './filter-bar';
import { NoErrors } from './no-errors';
import { useErrors } from './queries';
import { RowsOverTime } from './rows-over-time';
import { UsageTabs } from './usage-tabs';
import { useView } from './use-view';
import { periodWords, refusalsHref, toErrorsFilter } from './view';

interface ErrorsViewProps {
  accounts: BillingBalance['accounts'];
  /** The server-rendered data and its filter. */
  filter: UsageFilter;
  errors: UsageErrors;
  calls: UsageCalls;
  choices: UsageChoices;
}

/** Failed calls by tool and code, and the list of them. Each row narrows the page to its slice. */
export function ErrorsView({ accounts, filter: first, ...server }: ErrorsViewProps) {
  const { filter: view, change, clear, chooseWider } = useView();
  const filter = toErrorsFilter(view);
  const { status: _, ...shown } = filter;
  const query = useErrors(filter, { filter: first, data: server.errors });
  const errors = query.data;
  const main = useRef<HTMLDivElement>(null);
  const codes = new Set([...CALL_ERROR_CODES, ...(errors?.errors ?? []).map((row) => row.error_code)]);

  /** Clearing the filters removes the pressed button, so the figures take the focus. */
  function clearAll() {
    clear();
    main.current?.focus();
  }

  return (
    <>
      <PageHeader title="Usage" description="Which calls failed, with which error, and by which key." />
      <UsageTabs filter={filter} here="errors" />
      <Card>
        <FilterBar
          accounts={accounts}
          first={{ filter: first, data: server.choices }}
          filter={shown}
          codes={[...codes]}
          onChange={change}
          onClear={clearAll}
        />
        <div
          ref={main}
          tabIndex={-1}
          aria-busy={query.isPlaceholderData}
          className={cn('transition-opacity focus:outline-none', query.isPlaceholderData && 'opacity-60')}
        >
          {!errors && query.isError ? (
            <ErrorState
              title="The errors could not be loaded"
              requestId={gatewayError(query.error)?.request_id}
              onRetry={() => query.refetch()}
              retrying={query.isFetching}
            >
              {problemText(query.error)}
            </ErrorState>
          ) : !errors ? (
            <ReportSkeleton />
          ) : errors.failed === 0 ? (
            <NoErrors wider={chooseWider(clearAll)} />
          ) : (
            <CardBody className="flex flex-col gap-6">
              {filter.error_code && <AboutCode code={filter.error_code} filter={shown} />}
              <ErrorFigures errors={errors} />
              <ErrorChart errors={errors} filter={filter} />
              {errors.counted_from && (
                <Notice title="Only the newest failed calls are counted">
                  {`The newest ${formatNumber(MAX_COUNTED_FAILURES)}, since `}
                  <DateTime at={errors.counted_from} format="exact" />. Choose a shorter period, or a tool,
                  for exact counts.
                </Notice>
              )}
            </CardBody>
          )}
        </div>
      </Card>
      {errors && errors.failed > 0 && (
        <>
          <ErrorRows errors={errors} filter={shown} stale={query.isPlaceholderData} />
          <CallsList
            title="Failed calls"
            filter={filter}
            first={{ filter: first, data: server.calls }}
            total={errors.counted_from ? null : errors.failed}
            wider={chooseWider(clearAll)}
          />
        </>
      )}
    </>
  );
}

function ErrorChart({ errors, filter }: { errors: UsageErrors; filter: UsageFilter }) {
  return (
    <RowsOverTime
      {...errors}
      label={`Failed calls, ${periodWords(filter)}`}
      rows={errors.errors.map(({ tool, error_code: code, trend }) => ({
        id: `${tool} ${code}`,
        name: `${tool} ${codeWords(code)}`,
        trend,
      }))}
    />
  );
}

/** What the chosen code means, and what to do. */
function AboutCode({ code, filter }: { code: string; filter: UsageFilter }) {
  if (code === NO_ERROR_CODE)
    return (
      <Notice title={codeWords(code)}>
        An earlier version of the gateway ran these calls and kept no error code of them.
      </Notice>
    );
  return (
    <Notice title={<code className="font-mono">{code}</code>}>
      {errorHint(code)}{' '}
      <a href={`/docs/errors#${code}`} className="link">
        What this code means
      </a>
      {code === 'INVALID_INPUT' && (
        <>
          . Only what the tool itself found is here.{' '}
          <IntentLink href={refusalsHref(filter)} className="link">
            Refused before the call ran
          </IntentLink>
        </>
      )}
    </Notice>
  );
}

function ErrorFigures({
  errors: { failed, keys, first_at: firstAt, last_at: lastAt },
}: {
  errors: UsageErrors;
}) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4">
      <Stat label="Failed calls" value={formatNumber(failed)} />
      <Stat label="Keys" value={formatNumber(keys)} />
      {firstAt && (
        <Stat
          label="First seen"
          value={<DateTime at={firstAt} format="age" className="whitespace-normal" />}
        />
      )}
      {lastAt && (
        <Stat label="Last seen" value={<DateTime at={lastAt} format="age" className="whitespace-normal" />} />
      )}
    </dl>
  );
}

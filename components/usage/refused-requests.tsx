import { useState } from 'react';
import type { RefusalReport } from '@/server/usage/refusals-schema';
import type { UsageFilter } from '@/server/usage/schema';
import { findRefusalCause } from '../shared/refusal-cause';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { IntentLink } from '../ui/intent-link';
import { errorsHref } from './view';

type Row = RefusalReport['by_reason'][number];
type Last = RefusalReport['last'][number];

/** Requests that are shown at first. */
const SHOWN = 5;

interface RefusedRequestsProps {
  row: Row;
  last: readonly Last[];
  filter: UsageFilter;
}

/** The last refused requests of a key and code, with their messages. */
export function RefusedRequests({ row, last, filter }: RefusedRequestsProps) {
  const [all, setAll] = useState(false);
  const { key_id: id, error_code: code } = row;
  const requests = last.filter((each) => each.key_id === id && each.error_code === code);
  const shown = all ? requests : requests.slice(0, SHOWN);
  return (
    <div className="flex flex-col gap-3 py-1 text-sm sm:pl-6">
      <p className="text-muted">
        {findRefusalCause(row).remedy}
        {code === 'INVALID_INPUT' && (
          <>
            {' '}
            Input that the tool refused while it ran is under{' '}
            <IntentLink href={errorsHref({ ...filter, error_code: code })} className="link">
              Errors
            </IntentLink>
            .
          </>
        )}
      </p>
      {requests.length === 0 ? (
        <p className="text-muted">
          The last hundred refused calls of the account are described, and these are older.
        </p>
      ) : (
        <ol aria-label="Last refused requests" className="flex flex-col gap-2.5">
          {shown.map((each) => (
            <li key={each.id} className="min-w-0">
              <span className="flex flex-wrap items-baseline gap-x-3 text-xs">
                <DateTime at={each.at} className="text-muted" />
                <span className="font-mono">{[each.tool, each.skill].filter(Boolean).join('.') || '—'}</span>
                <code className="break-all font-mono text-muted">{each.request_id}</code>
                {each.client_address !== null && (
                  <span className="text-muted">from {each.client_address}</span>
                )}
              </span>
              <span className="block break-words">{each.message}</span>
            </li>
          ))}
        </ol>
      )}
      {requests.length > SHOWN && (
        <Button
          size="sm"
          variant="ghost"
          className="self-start"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? 'Show fewer' : `Show all ${requests.length}`}
        </Button>
      )}
    </div>
  );
}

import { useState } from 'react';
import type { RefusalReport } from '@/server/usage/refusals-schema';
import { findRefusalCause } from '../shared/refusal-cause';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';

type Row = RefusalReport['by_reason'][number];
type Last = RefusalReport['last'][number];

/** Requests that are shown at first. */
const SHOWN = 5;

/** The last refused requests of a key and code, with their messages. */
export function RefusedRequests({ row, last }: { row: Row; last: readonly Last[] }) {
  const [all, setAll] = useState(false);
  const requests = last.filter(
    ({ key_id: id, error_code: code }) => id === row.key_id && code === row.error_code,
  );
  const shown = all ? requests : requests.slice(0, SHOWN);
  return (
    <div className="flex flex-col gap-3 py-1 text-sm sm:pl-6">
      <p className="text-muted">{findRefusalCause(row).remedy}</p>
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

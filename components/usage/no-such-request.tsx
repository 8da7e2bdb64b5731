'use client';

import type { ReactNode } from 'react';
import type { UsageFilter } from '@/server/usage/schema';
import { errorHint } from '../shared/error-hint';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { Notice } from '../ui/notice';
import { useRefusals } from './queries';
import { toRefusalsFilter } from './view';

interface NoSuchRequestProps {
  filter: UsageFilter;
  /** Shown if it was not refused either. */
  empty: ReactNode;
  onClear: (() => void) | undefined;
}

/** The empty list of a request: it made no call that ran, but may have been refused. */
export function NoSuchRequest({ filter, empty, onClear }: NoSuchRequestProps) {
  const { billing, request_id } = filter;
  const query = useRefusals({ ...toRefusalsFilter({ billing, period: 'all' }), request_id });
  const refusals = query.isPlaceholderData ? undefined : query.data?.last;
  if (query.isPending || query.isPlaceholderData) return null;
  if (!refusals || refusals.length === 0) return empty;
  return (
    <div className="flex flex-col items-start gap-4 px-4 py-5 sm:px-5">
      <p className="text-sm">This request was refused before a call ran. Nothing was charged.</p>
      {refusals.map(({ id, at, error_code: code, message, tool, skill, key_name }) => (
        <Notice key={id} tone="danger" className="w-full" title={<code className="font-mono">{code}</code>}>
          <p className="mb-2 whitespace-pre-wrap break-words font-medium">{message}</p>
          {errorHint(code)}{' '}
          <a href={`/docs/errors#${code}`} className="link">
            What this code means
          </a>
          <p className="mt-1 break-words text-muted">
            {[tool && skill ? `${tool}.${skill}` : tool, key_name].filter(Boolean).join(', ')},{' '}
            <DateTime at={at} format="second" className="whitespace-normal" />
          </p>
        </Notice>
      ))}
      {onClear && <Button onClick={onClear}>Clear filters</Button>}
    </div>
  );
}

'use client';

import { useEffect, useRef, useState } from 'react';
import { CALL_ERROR_CODES, MAX_REQUEST_ID } from '@/server/usage/limits';
import type { UsageFilter } from '@/server/usage/schema';
import { useDebounced } from '../shared/use-debounced';
import { useUrlQuery } from '../shared/use-url-query';
import { Filter, SelectFilter } from '../ui/filter';
import { Input } from '../ui/input';

const PAUSE_MS = 300;
/** A longer one is no call's id. */
const CALL_ID = /^call_[0-9a-z]{1,40}$/;
const ERRORS = CALL_ERROR_CODES.map((code) => ({ value: code, label: code }));

/** Finds calls by the id of the request or of the call, or by error code; both are in the URL. */
export function CallSearch({ filter }: { filter: UsageFilter }) {
  const [, set] = useUrlQuery();
  const wanted = filter.call_id ?? filter.request_id ?? '';
  const [text, setText] = useState(wanted);
  const settled = useDebounced(text.trim(), PAUSE_MS);

  /** What typing has put into the URL, which is applied later than the next letters. */
  const sent = useRef(wanted);

  // After "Clear filters" or the browser's Back button.
  useEffect(() => {
    if (wanted === sent.current) return;
    sent.current = wanted;
    setText(wanted);
  }, [wanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the URL
  useEffect(() => {
    if (settled === sent.current || settled !== text.trim()) return;
    sent.current = settled;
    const isCall = CALL_ID.test(settled);
    set({ id: isCall ? settled : null, request: isCall ? null : settled });
  }, [settled]);

  return (
    <search
      aria-label="Find a call"
      className="grid grid-cols-1 items-end gap-3 border-b px-4 py-3 sm:flex sm:px-5"
    >
      <Filter label="Request or call id" className="sm:w-80">
        {(id) => (
          <Input
            id={id}
            type="search"
            value={text}
            maxLength={MAX_REQUEST_ID}
            placeholder="req_… or call_…"
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm"
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Filter>
      <SelectFilter
        label="Error code"
        value={filter.error_code ?? null}
        all="Any"
        options={ERRORS}
        className="sm:w-52"
        onChange={(error) => set({ error })}
      />
    </search>
  );
}

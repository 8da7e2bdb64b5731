'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { AssetFilter, AssetOverview } from '@/server/assets/schema';
import { Segmented } from '../shared/segmented';
import { useDebounced } from '../shared/use-debounced';
import type { QueryChange } from '../shared/use-url-query';
import { Filter, SelectFilter } from '../ui/filter';
import { SearchInput } from '../ui/search-input';
import { Select } from '../ui/select';
import { TableTools } from '../ui/table-tools';
import { isFiltered, KIND_NAMES, UPLOAD } from './asset-filters';

const TYPING_MS = 250;

export type AssetLayout = 'grid' | 'list';

interface AssetToolsProps {
  filter: AssetFilter;
  overview: AssetOverview;
  layout: AssetLayout;
  onChange: (change: QueryChange) => void;
}

/** Search, filters, order and the view (grid or list). All of them are in the URL. */
export function AssetTools({ filter, overview, layout, onChange }: AssetToolsProps) {
  const search = useCallback((q: string) => onChange({ q }), [onChange]);
  return (
    <TableTools
      onClear={isFiltered(filter) ? () => onChange({ q: null, kind: null, tool: null }) : undefined}
    >
      <NameSearch value={filter.q ?? ''} onChange={search} />
      <SelectFilter
        label="Kind"
        all="All kinds"
        value={filter.kind ?? null}
        options={overview.kinds.map(({ kind, count }) => ({
          value: kind,
          label: `${KIND_NAMES[kind]} (${count})`,
        }))}
        onChange={(kind) => onChange({ kind })}
      />
      <SelectFilter
        label="Created by"
        all="Any source"
        value={filter.tool ?? null}
        options={overview.tools.map(({ tool, count }) => ({
          value: tool ?? UPLOAD,
          label: `${tool ?? 'Uploads'} (${count})`,
        }))}
        onChange={(tool) => onChange({ tool })}
      />
      <Filter label="Sort by">
        {(id) => (
          <Select
            id={id}
            value={filter.sort}
            onChange={(event) => onChange({ sort: event.target.value === 'largest' ? 'largest' : null })}
          >
            <option value="newest">Newest first</option>
            <option value="largest">Largest first</option>
          </Select>
        )}
      </Filter>
      <Segmented
        legend="View"
        value={layout}
        options={[
          { value: 'grid', label: 'Grid' },
          { value: 'list', label: 'List' },
        ]}
        onValueChange={(next) => onChange({ view: next === 'list' ? 'list' : null })}
        className="h-9 self-end [&>label]:h-full max-sm:[&>label]:flex-1 max-sm:[&>label]:justify-center"
      />
    </TableTools>
  );
}

/**
 * Debounces typing. When the URL changes elsewhere (a link, cleared filters), the field follows.
 */
function NameSearch({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  const settled = useDebounced(typed, TYPING_MS).trim();
  useEffect(() => {
    if (settled === asked.current) return;
    asked.current = settled;
    onChange(settled);
  }, [settled, onChange]);
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setTyped(value);
  }, [value]);
  return (
    <SearchInput
      label="Search by name"
      placeholder="Search by name"
      slash
      value={typed}
      onValueChange={setTyped}
      className="max-sm:col-span-2 sm:w-56 [&_input]:h-9"
    />
  );
}

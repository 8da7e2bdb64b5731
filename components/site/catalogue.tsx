'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Tool } from '@/server/catalog/schema';
import { errorText, TrpcProvider, trpc } from '../trpc-provider';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { SearchInput } from '../ui/search-input';
import { ToolCard } from './tool-card';

interface CatalogueProps {
  /** Every tool, in the order of the list. */
  tools: Tool[];
  /** What the address asked for when the page was made. */
  initial: { q: string; category: string; found: Tool[] | null };
}

/** Search and filter; both live in the address, so that a view can be shared. */
export function Catalogue(props: CatalogueProps) {
  return (
    <TrpcProvider>
      <CatalogueView {...props} />
    </TrpcProvider>
  );
}

const TYPING_PAUSE_MS = 150;

function CatalogueView({ tools, initial }: CatalogueProps) {
  const [text, setText] = useState(initial.q);
  const [category, setCategory] = useState(initial.category);
  const q = useSettled(text.trim(), TYPING_PAUSE_MS);

  useEffect(() => {
    const params = new URLSearchParams();
    if (q) params.set('q', q);
    if (category) params.set('category', category);
    const query = params.size > 0 ? `?${params}` : '';
    if (query !== window.location.search) window.history.replaceState(null, '', `/tools${query}`);
  }, [q, category]);

  const search = useQuery({
    queryKey: ['tools.search', q],
    queryFn: ({ signal }) => trpc.tools.search.query({ q }, { signal }),
    enabled: q !== '',
    initialData: q === initial.q && initial.found ? { tools: initial.found } : undefined,
    placeholderData: keepPreviousData,
  });
  const failed = q !== '' && search.isError;
  const found = q === '' ? tools : (search.data?.tools ?? []);
  const shown = category ? found.filter((tool) => tool.categories.includes(category)) : found;
  const waiting = text.trim() !== q || (q !== '' && search.isFetching);

  return (
    <div className="flex flex-col gap-5">
      <SearchInput
        slash
        label="Search tools"
        placeholder="Try: convert miles to km"
        maxLength={500}
        value={text}
        onValueChange={setText}
        className="max-w-2xl"
      />
      <Categories tools={tools} chosen={category} onChoose={setCategory} />
      <p role="status" className="text-muted text-sm">
        {failed ? '' : waiting ? 'Searching' : countText(shown.length, q, category)}
      </p>
      {failed ? (
        <ErrorState
          title="The search failed"
          onRetry={() => search.refetch()}
          retrying={search.isFetching}
          className="rounded-lg border"
        >
          {errorText(search.error)}
        </ErrorState>
      ) : shown.length === 0 && !waiting ? (
        <NothingFound
          q={q}
          category={category}
          onReset={() => {
            setText('');
            setCategory('');
          }}
        />
      ) : (
        <div
          className={cn(
            'grid gap-4 transition-opacity sm:grid-cols-2 lg:grid-cols-3',
            waiting && 'opacity-60 delay-100',
          )}
        >
          {shown.map((tool) => (
            <ToolCard key={tool.name} tool={tool} />
          ))}
        </div>
      )}
    </div>
  );
}

/** The value once it has stayed the same for a while; emptied at once. */
function useSettled(value: string, pauseMs: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

function countText(count: number, q: string, category: string): string {
  const noun = count === 1 ? 'tool' : 'tools';
  const what = q ? `${count} ${noun} for “${q}”${count > 1 ? ', best first' : ''}` : `${count} ${noun}`;
  return category ? `${what}, in ${category}` : what;
}

interface CategoriesProps {
  tools: Tool[];
  chosen: string;
  onChoose: (category: string) => void;
}

function Categories({ tools, chosen, onChoose }: CategoriesProps) {
  const names = [...new Set(tools.flatMap((tool) => tool.categories))].sort();
  if (names.length < 2) return null;
  // A category that no longer exists stays visible while it filters, so that it can be left.
  const all = chosen && !names.includes(chosen) ? [chosen, ...names] : names;
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Category</legend>
      {['', ...all].map((name) => (
        <label
          key={name}
          className={cn(
            'relative cursor-pointer rounded-full border px-3 py-1 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
            name === chosen
              ? 'border-ink bg-ink text-ink-inverse'
              : 'bg-surface text-muted hover:border-line-strong hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="category"
            value={name}
            checked={name === chosen}
            onChange={() => onChoose(name)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {name || 'All'}
        </label>
      ))}
    </fieldset>
  );
}

function NothingFound({ q, category, onReset }: { q: string; category: string; onReset: () => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={q ? `No tool found for “${q}”` : `No tool in ${category}`}
      action={<Button onClick={onReset}>Show all tools</Button>}
      className="rounded-lg border"
    >
      {category
        ? 'Try another category, or say what you want to do in other words.'
        : 'Say what you want to do in other words, shorter or plainer.'}
    </EmptyState>
  );
}

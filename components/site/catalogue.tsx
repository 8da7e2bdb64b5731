'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '@/server/catalog/tools/limits';
import type { FoundToolList, Tool } from '@/server/catalog/tools/schema';
import { errorText, TrpcProvider, trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { SearchX } from '../ui/icons';
import { SearchInput } from '../ui/search-input';
import { Categories, OrderChoice } from './catalogue-filters';
import { type CatalogueOrder, countCategories, inOrder } from './catalogue-order';
import { ToolCard } from './tool-card';

interface CatalogueProps {
  /** All tools, in the order of the list. */
  tools: Tool[];
  /** The search and filters in the URL when the page was rendered. */
  initial: { q: string; category: string; order: CatalogueOrder; found: FoundToolList | null };
}

/** Search and filters; both are in the URL, so that a view can be shared. */
export function Catalogue(props: CatalogueProps) {
  return (
    <TrpcProvider>
      <CatalogueView {...props} />
    </TrpcProvider>
  );
}

const TYPING_PAUSE_MS = 150;
const ALL_MATCHES = '500';

function CatalogueView({ tools, initial }: CatalogueProps) {
  const [text, setText] = useState(initial.q);
  const [category, setCategory] = useState(initial.category);
  const [order, setOrder] = useState(initial.order);
  const q = useDelayed(text.trim(), TYPING_PAUSE_MS);
  useUrlSync({ q, category, order });

  const search = useQuery({
    queryKey: ['tools.search', q],
    queryFn: async ({ signal }): Promise<{ tools: Tool[] }> =>
      await trpc.tools.search.query({ q, limit: ALL_MATCHES }, { signal }),
    enabled: q !== '',
    initialData: q === initial.q ? (initial.found ?? undefined) : undefined,
    placeholderData: keepPreviousData,
  });
  const failed = q !== '' && search.isError;
  const found = q === '' ? tools : findByName(tools, search.data?.tools ?? []);
  const inCategory = category ? found.filter((tool) => tool.categories.includes(category)) : found;
  const shown = inOrder(inCategory, order);
  const waiting = text.trim() !== q || (q !== '' && search.isFetching);

  return (
    <div className="flex flex-col gap-5">
      <SearchInput
        slash
        label="Search tools"
        placeholder="Try: convert miles to km"
        maxLength={MAX_SEARCH_LENGTH}
        value={text}
        onValueChange={setText}
        className="max-w-2xl"
      />
      <Categories
        categories={countCategories(tools)}
        all={tools.length}
        searching={q !== ''}
        chosen={category}
        onChoose={setCategory}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p role="status" className="text-muted text-sm">
          {failed ? '' : waiting ? 'Searching' : countText(shown.length, q, category, order)}
        </p>
        <OrderChoice order={order} searching={q !== ''} onChoose={setOrder} />
      </div>
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
          onSearch={(next) => {
            setText(next);
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

/** The tools of a search with all their skills: the search returns only those that match. */
function findByName(tools: Tool[], matches: { name: string }[]): Tool[] {
  return matches.flatMap(({ name }) => tools.find((tool) => tool.name === name) ?? []);
}

/** Writes the search and filters to the URL. */
function useUrlSync({ q, category, order }: { q: string; category: string; order: CatalogueOrder }): void {
  useEffect(() => {
    const params = new URLSearchParams();
    if (q) params.set('q', q);
    if (category) params.set('category', category);
    if (order) params.set('sort', order);
    const query = params.size > 0 ? `?${params}` : '';
    if (query !== window.location.search) window.history.replaceState(null, '', `/tools${query}`);
  }, [q, category, order]);
}

/** The value once it has not changed for `pauseMs`; an empty value at once. */
function useDelayed(value: string, pauseMs: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

function countText(count: number, q: string, category: string, order: CatalogueOrder): string {
  const noun = count === 1 ? 'tool' : 'tools';
  const what = q
    ? `${count} ${noun} for “${q}”${count > 1 && !order ? ', best first' : ''}`
    : `${count} ${noun}`;
  return category ? `${what}, in ${category}` : what;
}

/** Suggested searches when nothing was found; each matches a built-in tool. */
const SUGGESTIONS = ['read a web page', 'convert miles to km', 'make a PDF', 'resize an image'];

interface NothingFoundProps {
  q: string;
  category: string;
  onSearch: (text: string) => void;
}

function NothingFound({ q, category, onSearch }: NothingFoundProps) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={q ? `No tools found for “${q}”` : `No tools in ${category}`}
      action={
        <div className="flex flex-col items-center gap-4">
          <ul aria-label="Searches to try" className="flex flex-wrap justify-center gap-2">
            {SUGGESTIONS.map((text) => (
              <li key={text}>
                <Button size="sm" onClick={() => onSearch(text)}>
                  {text}
                </Button>
              </li>
            ))}
          </ul>
          <Button variant="ghost" onClick={() => onSearch('')}>
            Show all tools
          </Button>
        </div>
      }
      className="rounded-lg border"
    >
      {category
        ? 'Search all categories, or describe what you want in other words.'
        : 'Describe what you want in fewer or simpler words, such as:'}
    </EmptyState>
  );
}

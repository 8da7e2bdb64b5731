'use client';

import Link from 'next/link';
import { useEffect, useId, useState } from 'react';
import { MAX_QUERY_LENGTH } from '@/server/docs/limits';
import type { GuideHit } from '@/server/docs/schema';
import { SearchInput } from '../ui/search-input';

const TYPING_PAUSE_MS = 150;

type Found = { q: string; hits: GuideHit[] } | { q: string; failed: true };

/** Searches guides, error codes and routes. Results appear below the field. */
export function DocsSearch() {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const listId = useId();
  const q = text.trim();

  useEffect(() => {
    if (q === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      search(q, abort.signal).then(setFound, () => {
        if (!abort.signal.aborted) setFound({ q, failed: true });
      });
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [q]);

  const open = q !== '' && found !== null;
  return (
    <search className="relative print:hidden">
      <SearchInput
        slash
        label="Search the documentation"
        placeholder="Search the docs"
        maxLength={MAX_QUERY_LENGTH}
        value={text}
        onValueChange={setText}
        aria-controls={listId}
      />
      <div id={listId} role="status" className="empty:hidden">
        {open && <Results found={found} onGo={() => setText('')} />}
      </div>
    </search>
  );
}

function Results({ found, onGo }: { found: Found; onGo: () => void }) {
  if ('failed' in found) return <p className={PANEL}>Search failed. Check your connection and try again.</p>;
  if (found.hits.length === 0)
    return <p className={PANEL}>No results for “{found.q}”. Try a single word or an error code.</p>;
  return (
    <ul className={PANEL} aria-label={`Results for ${found.q}`}>
      {found.hits.map((hit) => (
        <li key={hit.href}>
          <Link
            href={hit.href}
            prefetch={false}
            onClick={onGo}
            className="block rounded-md px-3 py-2 hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className="font-medium text-sm">{hit.title}</span>
            {hit.title !== hit.page && <span className="text-muted text-xs"> {hit.page}</span>}
            <span className="line-clamp-2 text-muted text-xs [overflow-wrap:anywhere]">{hit.excerpt}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const PANEL =
  'absolute top-full left-0 z-20 mt-1 max-h-96 w-full min-w-72 overflow-y-auto rounded-lg border bg-raised p-1.5 text-sm shadow-pop sm:w-96';

/**
 * Calls the tRPC procedure without the tRPC client, which would be most of this page's JavaScript.
 */
async function search(q: string, signal: AbortSignal): Promise<Found> {
  const input = encodeURIComponent(JSON.stringify({ q }));
  const response = await fetch(`/api/trpc/guides.search?input=${input}`, { signal });
  const body = (await response.json()) as { result: { data: { hits: GuideHit[] } } };
  return { q, hits: body.result.data.hits };
}

'use client';

import { useState } from 'react';
import { IntentLink } from '../ui/intent-link';
import { SearchInput } from '../ui/search-input';
import { Method } from './method';

interface ApiFilterProps {
  groups: readonly {
    name: string;
    href: string;
    description: string;
    routes: readonly { id: string; href: string; method: string; path: string; summary: string }[];
  }[];
}

/** The groups with their routes, filtered while typing. */
export function ApiFilter({ groups }: ApiFilterProps) {
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = groups
    .map((group) => ({
      ...group,
      routes: group.routes.filter(({ id, method, path, summary }) => {
        const all = `${method} ${path} ${id} ${summary} ${group.name}`.toLowerCase();
        return words.every((word) => all.includes(word));
      }),
    }))
    .filter(({ routes }) => routes.length > 0);
  const count = shown.reduce((sum, { routes }) => sum + routes.length, 0);
  return (
    <section aria-label="All routes" className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 print:hidden">
        <SearchInput
          label="Filter routes"
          placeholder="Filter: keys, POST, balance"
          value={text}
          onValueChange={setText}
          className="w-full max-w-sm"
        />
        <p role="status" className="text-muted text-sm">
          {count === 1 ? '1 route' : `${count} routes`}
        </p>
      </div>
      {shown.map(({ name, href, description, routes }) => (
        <section key={name} aria-labelledby={`tag-${name}-title`} className="flex min-w-0 flex-col gap-2">
          <div id={`tag-${name}`} data-old-anchor className="scroll-mt-20">
            <h2 id={`tag-${name}-title`} className="text-lg">
              <IntentLink href={href} className="hover:text-accent">
                {name}
              </IntentLink>
            </h2>
            <p className="text-muted text-sm">{description}</p>
          </div>
          <ul className="divide-y border-y">
            {routes.map((route) => (
              <li key={route.id} id={route.id} data-old-anchor className="scroll-mt-20">
                <IntentLink
                  href={route.href}
                  className="grid gap-x-4 py-2 hover:text-accent sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
                >
                  <span className="text-sm">{route.summary}</span>
                  <span className="flex min-w-0 items-baseline">
                    <Method name={route.method} />
                    <code className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{route.path}</code>
                  </span>
                </IntentLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

'use client';

import { useState } from 'react';
import { SearchInput } from '../ui/search-input';
import { Method } from './method';

interface ApiFilterProps {
  groups: readonly {
    name: string;
    routes: readonly { id: string; method: string; path: string; summary: string }[];
  }[];
}

/** All routes in one list, filtered while typing. */
export function ApiFilter({ groups }: ApiFilterProps) {
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = groups
    .map(({ name, routes }) => ({
      name,
      routes: routes.filter(({ id, method, path, summary }) => {
        const all = `${method} ${path} ${id} ${summary} ${name}`.toLowerCase();
        return words.every((word) => all.includes(word));
      }),
    }))
    .filter(({ routes }) => routes.length > 0);
  const count = shown.reduce((sum, { routes }) => sum + routes.length, 0);
  return (
    <section aria-label="All routes" className="flex flex-col gap-4 print:hidden">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
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
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {shown.map(({ name, routes }) => (
          <div key={name} className="flex min-w-0 flex-col gap-1">
            <a href={`#tag-${name}`} className="py-0.5 font-medium text-sm hover:text-accent">
              {name}
            </a>
            <ul className="flex flex-col">
              {routes.map((route) => (
                <li key={route.id}>
                  <a href={`#${route.id}`} className="flex items-baseline gap-2 py-1 hover:text-accent">
                    <Method name={route.method} />
                    <code className="min-w-0 truncate font-mono text-xs">{route.path}</code>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

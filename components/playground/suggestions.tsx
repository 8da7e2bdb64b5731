import { FlaskConical } from 'lucide-react';
import Link from 'next/link';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { playgroundPath } from '../shared/input-link';

export interface Suggestion {
  tool: string;
  skill: string;
  title: string;
  about: string;
}

/** Where nothing is chosen yet: skills to begin with. */
export function Suggestions({ suggestions }: { suggestions: readonly Suggestion[] }) {
  return (
    <Card>
      <EmptyState icon={<FlaskConical />} title="Choose a skill to call" className="pb-6">
        Take one of these to begin with, or search all of them with “Choose a skill”.
      </EmptyState>
      <ul className="grid gap-3 px-4 pb-6 sm:grid-cols-2 sm:px-5">
        {suggestions.map(({ tool, skill, title, about }) => (
          <li key={`${tool}.${skill}`}>
            <Link
              href={playgroundPath(tool, skill)}
              className="flex h-full flex-col gap-1 rounded-lg border px-4 py-3 hover:border-line-strong hover:bg-hover"
            >
              <span className="flex items-baseline justify-between gap-3 font-medium text-sm">
                {title}
                <span className="font-mono font-normal text-muted text-xs">
                  {tool}.{skill}
                </span>
              </span>
              <span className="line-clamp-2 text-muted text-sm">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

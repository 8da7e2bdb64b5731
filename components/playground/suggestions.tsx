import Link from 'next/link';
import { playgroundPath } from '../shared/input-link';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { FlaskConical } from '../ui/icons';

export interface Suggestion {
  tool: string;
  skill: string;
  title: string;
  about: string;
}

/** Suggested skills, shown while none is chosen. */
export function Suggestions({ suggestions }: { suggestions: readonly Suggestion[] }) {
  return (
    <Card>
      <EmptyState icon={<FlaskConical />} title="Choose a skill to call" className="pb-6">
        Start with one of these, or search all skills with “Choose a skill”.
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

import type { UsageFilter } from '@/server/usage/schema';
import { cn } from '../ui/cn';
import { IntentLink } from '../ui/intent-link';
import { errorsHref, refusalsHref, writeView } from './view';

interface UsageTabsProps {
  filter: UsageFilter;
  here: 'calls' | 'errors' | 'refused';
}

/** The pages of usage, for the same filter. */
export function UsageTabs({ filter, here }: UsageTabsProps) {
  const { status: _, error_code: __, ...calls } = filter;
  const places = [
    { id: 'calls', label: 'Calls', href: `/dashboard/usage${writeView(calls)}` },
    { id: 'errors', label: 'Errors', href: errorsHref(here === 'refused' ? calls : filter) },
    { id: 'refused', label: 'Refused', href: refusalsHref(here === 'errors' ? calls : filter) },
  ] as const;
  return (
    <nav aria-label="Usage">
      <ul className="flex gap-4 border-b">
        {places.map(({ id, label, href }) => (
          <li key={id}>
            <IntentLink
              href={href}
              aria-current={id === here ? 'page' : undefined}
              className={cn(
                '-mb-px block border-transparent border-b-2 px-0.5 py-2 font-medium text-muted text-sm hover:text-ink',
                id === here && 'border-accent text-ink',
              )}
            >
              {label}
            </IntentLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

import type { ComparisonLink } from '@/server/docs/schema';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';

/** The products with a comparison page. */
export function CompareList({ comparisons }: { comparisons: readonly ComparisonLink[] }) {
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-8 px-4 pt-10 sm:px-6 sm:pt-14">
      <PageHeader
        title="Compare"
        description="This gateway next to other products, feature by feature. Every statement about another product links to the page that it rests on."
      />
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {comparisons.map(({ href, name, features, documented }) => (
          <li key={href}>
            <IntentLink
              href={href}
              className="flex h-full flex-col gap-1 rounded-lg border bg-surface p-5 hover:bg-hover"
            >
              <span className="font-semibold text-lg">{name}</span>
              <span className="text-muted">
                Documents {documented} of the {features} compared features in full
              </span>
            </IntentLink>
          </li>
        ))}
      </ul>
      <p className="text-muted">
        <IntentLink href="/docs/comparison" className="link">
          All products in one table
        </IntentLink>
        , with what was read and when.
      </p>
    </div>
  );
}

import { ArrowLeft, ArrowRight } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';

interface Neighbour {
  title: string;
  href: string;
}

interface NeighboursProps {
  /** The accessible name: "More guides". */
  label: string;
  previous: Neighbour | null;
  next: Neighbour | null;
}

/** Links to the previous and the next page. */
export function Neighbours({ label, previous, next }: NeighboursProps) {
  return (
    <nav aria-label={label} className="mt-8 grid gap-4 border-t pt-6 sm:grid-cols-2 print:hidden">
      {previous ? (
        <IntentLink href={previous.href} className="flex flex-col gap-1 rounded-lg border p-4 hover:bg-hover">
          <span className="inline-flex items-center gap-1.5 text-muted text-xs">
            <ArrowLeft aria-hidden className="size-3.5" /> Previous
          </span>
          <span className="font-medium">{previous.title}</span>
        </IntentLink>
      ) : (
        <span className="max-sm:hidden" />
      )}
      {next && (
        <IntentLink
          href={next.href}
          className="flex flex-col gap-1 rounded-lg border p-4 hover:bg-hover sm:items-end sm:text-right"
        >
          <span className="inline-flex items-center gap-1.5 text-muted text-xs">
            Next <ArrowRight aria-hidden className="size-3.5" />
          </span>
          <span className="font-medium">{next.title}</span>
        </IntentLink>
      )}
    </nav>
  );
}

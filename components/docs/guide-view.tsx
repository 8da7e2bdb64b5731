import type { Guide, GuideLink } from '@/server/docs/schema';
import { ArrowLeft, ArrowRight } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';
import { Blocks } from './blocks';
import { Contents } from './contents';

/** One guide, with its headings and links to the next and previous guide. */
export function GuideView({ guide }: { guide: Guide }) {
  const [first, ...rest] = guide.blocks;
  return (
    <div className="grid gap-x-12 xl:grid-cols-[minmax(0,1fr)_12rem]">
      <article className="flex min-w-0 flex-col gap-4">
        <PageHeader title={guide.title} />
        {first && (
          <div className="text-lg text-muted">
            <Blocks blocks={[first]} />
          </div>
        )}
        <Blocks blocks={rest} />
        <Neighbours previous={guide.previous} next={guide.next} />
        <p className="text-muted text-sm print:hidden">
          This page as{' '}
          <a href={`${guide.href}.md`} className="link">
            Markdown
          </a>
          , for agents.
        </p>
      </article>
      <Contents headings={guide.headings} />
    </div>
  );
}

function Neighbours({ previous, next }: { previous: GuideLink | null; next: GuideLink | null }) {
  return (
    <nav aria-label="More guides" className="mt-8 grid gap-4 border-t pt-6 sm:grid-cols-2 print:hidden">
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

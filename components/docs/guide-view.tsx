import type { Guide } from '@/server/docs/schema';
import { PageHeader } from '../ui/page-header';
import { Blocks } from './blocks';
import { Contents } from './contents';
import { Neighbours } from './neighbours';

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
        <Neighbours label="More guides" previous={guide.previous} next={guide.next} />
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

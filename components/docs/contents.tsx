import { cn } from '../ui/cn';

interface ContentsProps {
  headings: readonly { id: string; text: string; level: number }[];
}

/** The headings of this page, in a side column on wide screens. */
export function Contents({ headings }: ContentsProps) {
  if (headings.length < 2) return null;
  return (
    <aside className="hidden xl:block print:hidden">
      <nav
        aria-label="On this page"
        className="sticky top-20 flex max-h-[calc(100dvh-6rem)] flex-col gap-1.5 overflow-y-auto pb-8 text-xs"
      >
        <p className="font-medium text-muted">On this page</p>
        <ul className="flex flex-col border-l">
          {headings.map(({ id, text, level }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className={cn(
                  'block py-1 text-muted [overflow-wrap:anywhere] hover:text-ink',
                  level > 2 ? 'pl-6' : 'pl-3',
                )}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  );
}

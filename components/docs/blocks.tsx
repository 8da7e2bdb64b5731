import type { Block } from '@/server/docs/schema';
import { InlineText } from '../shared/inline-text';
import { cn } from '../ui/cn';
import { CodeFrame } from './code-frame';

/** The contents of a guide. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  let chapter = '';
  return blocks.map((block, at) => {
    if (block.kind === 'heading') chapter = block.text;
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a guide are never reordered
    return <BlockView key={at} block={block} chapter={chapter} />;
  });
}

function BlockView({ block, chapter }: { block: Block; chapter: string }) {
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level} id={block.id} block={block} />;
    case 'paragraph':
      return (
        <p className="max-w-[44rem]">
          <InlineText>{block.children}</InlineText>
        </p>
      );
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List
          className={cn(
            'flex max-w-[44rem] flex-col gap-1.5 pl-5',
            block.ordered ? 'list-decimal' : 'list-disc',
          )}
        >
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={at} className="pl-1 marker:text-muted">
              <Blocks blocks={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return <Table block={block} label={chapter} />;
    case 'code':
      return <CodeFrame samples={block.samples} label={chapter === '' ? 'Example' : chapter} />;
    case 'quote':
      return (
        <blockquote className="flex flex-col gap-4 border-l-2 pl-4 text-muted">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case 'rule':
      return <hr />;
  }
}

type HeadingBlock = Extract<Block, { kind: 'heading' }>;

function Heading({ level, id, block }: { level: number; id: string; block: HeadingBlock }) {
  const Tag = level <= 2 ? 'h2' : 'h3';
  return (
    <Tag
      id={id}
      className={cn(
        'group scroll-mt-20 break-after-avoid',
        level <= 2 ? 'mt-6 border-t pt-6 text-xl' : 'mt-4 text-lg',
      )}
    >
      <a href={`#${id}`} className="[overflow-wrap:anywhere] hover:text-accent">
        <InlineText>{block.children}</InlineText>
        <span aria-hidden className="ml-2 font-normal text-muted opacity-0 group-hover:opacity-100">
          #
        </span>
      </a>
    </Tag>
  );
}

function Table({ block, label }: { block: Extract<Block, { kind: 'table' }>; label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a landmark per table would be too many, some with the same name
    <section
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
      tabIndex={0}
      aria-label={`Table: ${label}`}
      className="overflow-x-auto"
    >
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr className="border-b">
            {block.head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <th key={at} scope="col" className="py-2 pr-4 align-bottom font-medium text-muted">
                <InlineText>{cell}</InlineText>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {block.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={line}>
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={at} className="min-w-28 py-2 pr-4 align-top">
                  <InlineText>{cell}</InlineText>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

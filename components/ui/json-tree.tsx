'use client';

import { type ReactNode, useState } from 'react';
import { ChevronRight } from './icons';

interface JsonTreeProps {
  value: unknown;
  /** The accessible name. */
  label: string;
}

/** Items shown at once; a button shows more. */
const PAGE_ITEMS = 100;
const LONG_TEXT_CHARS = 600;
/** Nodes up to this depth are expanded initially. */
const OPEN_DEPTH = 2;

/**
 * A JSON value as a tree: objects and arrays expand, and long strings are truncated until expanded.
 */
export function JsonTree({ value, label }: JsonTreeProps) {
  return (
    <section aria-label={label} className="min-w-0 font-mono text-xs leading-5">
      <Node value={value} depth={0} />
    </section>
  );
}

function Node({ name, value, depth }: { name?: string | undefined; value: unknown; depth: number }) {
  if (typeof value !== 'object' || value === null)
    return (
      <Line name={name}>
        <Scalar value={value} />
      </Line>
    );
  return <Branch name={name} value={value} depth={depth} />;
}

function Branch({ name, value, depth }: { name?: string | undefined; value: object; depth: number }) {
  const entries = Object.entries(value);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= PAGE_ITEMS);
  const [shown, setShown] = useState(PAGE_ITEMS);
  const kind = Array.isArray(value)
    ? formatItemCount(entries.length, 'item')
    : formatItemCount(entries.length, 'field');
  if (entries.length === 0)
    return (
      <Line name={name}>
        <span className="text-muted">{Array.isArray(value) ? '[]' : '{}'}</span>
      </Line>
    );
  const items = (
    <ul className={depth === 0 ? '' : 'ml-1.5 border-l pl-3'}>
      {entries.slice(0, shown).map(([key, item]) => (
        <li key={key}>
          <Node name={key} value={item} depth={depth + 1} />
        </li>
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" className="link" onClick={() => setShown(shown + PAGE_ITEMS * 10)}>
            Show more of {entries.length.toLocaleString('en-US')}
          </button>
        </li>
      )}
    </ul>
  );
  if (depth === 0 && name === undefined) return items;
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex w-fit list-none items-center gap-1 rounded-sm hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className={open ? 'size-3 rotate-90' : 'size-3'} />
        <span className="break-all">{name}</span>
        <span className="text-muted">{kind}</span>
      </summary>
      {open && items}
    </details>
  );
}

function formatItemCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

function Line({ name, children }: { name?: string | undefined; children: ReactNode }) {
  return (
    <p className="flex gap-2 pl-4">
      {name !== undefined && (
        <span className="shrink-0 text-muted max-sm:max-w-1/2 [overflow-wrap:anywhere]">{name}</span>
      )}
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}

function Scalar({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false);
  if (typeof value !== 'string') return <span className="tok-number">{String(value)}</span>;
  if (value === '') return <span className="text-muted">empty text</span>;
  if (whole || value.length <= LONG_TEXT_CHARS) return value;
  return (
    <>
      {value.slice(0, LONG_TEXT_CHARS)}…{' '}
      <button type="button" className="link font-sans" onClick={() => setWhole(true)}>
        Show all {value.length.toLocaleString('en-US')} characters
      </button>
    </>
  );
}

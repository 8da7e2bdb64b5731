'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button';

interface FoldedRowsProps<Row> {
  rows: readonly Row[];
  /** Further rows are collapsed, because the list of calls is below. */
  most: number;
  children: (shown: readonly Row[]) => ReactNode;
}

/** The first rows of a table in a card, and a button for all of them. */
export function FoldedRows<Row>({ rows, most, children }: FoldedRowsProps<Row>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {children(open ? rows : rows.slice(0, most))}
      {rows.length > most && (
        <div className="border-t px-4 py-3 sm:px-5">
          <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Show fewer' : `Show all ${rows.length}`}
          </Button>
        </div>
      )}
    </>
  );
}

'use client';

import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, buttonClass } from './button';

interface TableToolsProps {
  /** `Filter`s, in the order they are read. */
  children?: ReactNode;
  /** Clears them; leave out where none is set. */
  onClear?: (() => void) | undefined;
  /** A file of exactly what is filtered. */
  csvHref?: string;
}

/** What stands over a table: its filters, and the way to take its rows along. */
export function TableTools({ children, onClear, csvHref }: TableToolsProps) {
  return (
    <search className="grid grid-cols-2 items-end gap-3 border-b px-4 py-3 sm:flex sm:flex-wrap sm:px-5">
      {children}
      {(onClear || csvHref) && (
        <div className="flex gap-2 max-sm:col-span-2 sm:ml-auto">
          {onClear && (
            <Button variant="ghost" onClick={onClear}>
              Clear filters
            </Button>
          )}
          {csvHref && (
            // A file, not a page: the router must not prefetch it.
            <a href={csvHref} download className={buttonClass({})}>
              <Download aria-hidden />
              Download CSV
            </a>
          )}
        </div>
      )}
    </search>
  );
}

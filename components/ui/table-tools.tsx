'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { buttonClass } from './button-class';
import { Download } from './icons';

interface TableToolsProps {
  /** `Filter`s, in reading order. */
  children?: ReactNode;
  /** Clears the filters; omit if none is set. */
  onClear?: (() => void) | undefined;
  /** The CSV with the same filters as the table. */
  csvHref?: string;
}

/** The bar above a table: its filters and the CSV download. */
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
            // A plain link: the router must not prefetch a file.
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

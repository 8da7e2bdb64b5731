import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

/*
 * A semantic table. Below 40rem, each row becomes a block of label and value lines: give each `Td`
 * its `label`, and mark the row header with `head`. Roles are explicit because older browsers drop
 * them when `display` changes.
 */
const ROLE = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  column: { role: 'columnheader' },
  rowHead: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

interface TableProps extends ComponentProps<'table'> {
  /** The accessible name. */
  caption: string;
}

export function Table({ caption, className, children, ...rest }: TableProps) {
  return (
    <table {...ROLE.table} className={cn('w-full text-left text-sm max-sm:block', className)} {...rest}>
      <caption className="sr-only">{caption}</caption>
      {children}
    </table>
  );
}

/** The header row; contains `Th`s. */
export function Thead({ children }: { children: ReactNode }) {
  return (
    <thead {...ROLE.group} className="border-b max-sm:sr-only">
      <tr {...ROLE.row}>{children}</tr>
    </thead>
  );
}

export function Tbody({ className, ...rest }: ComponentProps<'tbody'>) {
  return <tbody {...ROLE.group} className={cn('divide-y max-sm:block', className)} {...rest} />;
}

/** The row of the sums. */
export function Tfoot({ children }: { children: ReactNode }) {
  return (
    <tfoot {...ROLE.group} className="border-t bg-sunken max-sm:block">
      {children}
    </tfoot>
  );
}

export function Tr({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      {...ROLE.row}
      className={cn('max-sm:block max-sm:px-4 max-sm:py-3 sm:hover:bg-hover', className)}
      {...rest}
    />
  );
}

interface ThProps extends ComponentProps<'th'> {
  numeric?: boolean | undefined;
}

export function Th({ numeric, className, ...rest }: ThProps) {
  return (
    <th
      {...ROLE.column}
      scope="col"
      className={cn(
        'h-10 whitespace-nowrap px-3 font-medium text-muted text-xs first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5',
        numeric && 'text-right',
        className,
      )}
      {...rest}
    />
  );
}

interface TdProps extends ComponentProps<'td'> {
  /**
   * The column's title, shown next to the value on a phone. Omit for the cell with `head` and for
   * actions.
   */
  label?: string | undefined;
  numeric?: boolean | undefined;
  /** The row header: first and bold on a phone. */
  head?: boolean | undefined;
}

export function Td({ label, numeric, head, className, children, ...rest }: TdProps) {
  const classes = cn(
    'px-3 py-2.5 align-middle [&_code]:whitespace-nowrap sm:first:pl-5 sm:last:pr-5',
    'max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:px-0 max-sm:py-1 max-sm:wrap-anywhere',
    label &&
      'max-sm:items-baseline max-sm:text-right max-sm:before:shrink-0 max-sm:before:text-left max-sm:before:text-muted max-sm:before:content-[attr(data-label)]',
    numeric && 'sm:text-right',
    head && 'font-medium max-sm:text-base',
    className,
  );
  if (head)
    return (
      <th {...ROLE.rowHead} scope="row" className={classes} {...rest}>
        {children}
      </th>
    );
  return (
    <td {...ROLE.cell} data-label={label} className={classes} {...rest}>
      {children}
    </td>
  );
}

'use client';

import Link from 'next/link';
import { Fragment, type KeyboardEvent, type ReactNode, useId } from 'react';
import { cn } from './cn';
import { ZoneSwitch } from './date-time';
import { ErrorState } from './error-state';
import { ArrowDown, ArrowUp, ChevronsUpDown } from './icons';
import { LoadMore } from './load-more';
import { countDecimals } from './money';
import { Select } from './select';
import { SkeletonRows } from './skeleton';
import { Table, Tbody, Td, Tfoot, Th, Thead, Tr } from './table';
import type { Sort, SortColumn } from './table-sort';

/**
 * The table for lists: columns and rows, with sorting, filters, cursor paging, CSV, keyboard
 * navigation, and loading, error and empty states. Rows and order belong to the caller, which
 * stores them in the URL.
 */
export interface Column<Row> extends SortColumn<Row> {
  title: string;
  /** For a column of buttons: the title is only for screen readers. */
  titleHidden?: boolean;
  /** @param decimals of the column, if it has `usd` */
  cell: (row: Row, decimals?: number) => ReactNode;
  /** The exact amount that the cell shows: the column has the same decimals in every row. */
  usd?: (row: Row) => number | null;
  /** The row header, which opens the row; defaults to the first column. */
  head?: boolean;
  numeric?: boolean;
  /** A column of times, whose zone its head names; coarse ones are days or ages. */
  time?: true | 'coarse';
  /** The first click sorts in descending order. */
  descendingFirst?: boolean;
  /**
   * The cell's place on a phone, where a row has two lines: `title` and `figure` above, `note` and
   * `aside` below. `line` is a separate line with the column's title; `corner` is for actions;
   * `none` is hidden.
   */
  phone?: 'title' | 'figure' | 'note' | 'aside' | 'line' | 'corner' | 'none';
  className?: string;
}

/** Decimals of the columns of exact amounts, by column id. */
export type Decimals = Readonly<Record<string, number>>;

/** @param least of the rows that stand in the same columns */
export function columnDecimals<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  least: Decimals = {},
): Decimals {
  return Object.fromEntries(
    columns.flatMap(({ id, usd }) =>
      usd ? [[id, Math.max(least[id] ?? 0, countDecimals(rows.map((row) => usd(row) ?? 0)))]] : [],
    ),
  );
}

export interface TableProblem {
  title: string;
  text: ReactNode;
  requestId?: string | undefined;
  onRetry: () => void;
  retrying: boolean;
}

interface DataTableProps<Row> {
  /** The accessible name: "Calls, newest first". */
  caption: string;
  columns: readonly Column<Row>[];
  /** Undefined during the first load. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  /** Opens the row in place (a drawer): its title becomes a button. */
  onOpen?: (row: Row) => void;
  /** The page of a row: its title becomes a link. */
  hrefOf?: (row: Row) => string | null;
  /** Further rows below a row, as `DataTableRow`s: what an expanded row contains. */
  after?: (row: Row, decimals: Decimals) => ReactNode;
  /** The sums of the columns, below all rows. */
  total?: Row | undefined;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  /** Shown if there are no rows. */
  empty: ReactNode;
  problem?: TableProblem | null;
  /** Whether the rows still belong to the previous view. */
  stale?: boolean | undefined;
  paging?:
    | {
        hasMore: boolean;
        loading: boolean;
        onLoadMore: () => void;
        /** Number of rows shown: "50 calls". */
        shown?: string;
        error?: string | null;
      }
    | undefined;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, onSort, empty, problem, stale, paging } = props;
  if (problem && (rows === undefined || rows.length === 0))
    return (
      <ErrorState
        title={problem.title}
        requestId={problem.requestId}
        onRetry={problem.onRetry}
        retrying={problem.retrying}
      >
        {problem.text}
      </ErrorState>
    );
  if (rows === undefined) return <SkeletonRows label={`Loading: ${caption}`} />;
  if (rows.length === 0) return empty;
  const sort = props.sort ?? null;
  const firstTime = columns.find(({ time }) => time === true);
  const { total } = props;
  const decimals = columnDecimals(columns, total ? [...rows, total] : rows);
  return (
    <div aria-busy={stale} className={cn('transition-opacity', stale && 'opacity-60')}>
      {onSort && <PhoneSort columns={columns} sort={sort} onSort={onSort} />}
      {/* On a small window, a wide table scrolls inside its box instead of the page. */}
      <div className="sm:max-xl:overflow-x-auto">
        <Table caption={props.onOpen ? `${caption}. Select a row for details.` : caption}>
          <Thead>
            {columns.map((column) => (
              <HeadCell
                key={column.id}
                column={column}
                sort={sort}
                onSort={onSort}
                hasZone={column === firstTime}
              />
            ))}
          </Thead>
          <Tbody onKeyDown={walkRows}>
            {rows.map((row) => (
              <Fragment key={keyOf(row)}>
                <DataTableRow row={row} {...props} decimals={decimals} />
                {props.after?.(row, decimals)}
              </Fragment>
            ))}
          </Tbody>
          {total && (
            <Tfoot>
              <DataTableRow row={total} columns={columns} decimals={decimals} className="font-medium" />
            </Tfoot>
          )}
        </Table>
      </div>
      {columns.some(({ time, phone }) => time === true && phone !== 'none') && (
        <div className="flex justify-end border-t px-4 py-1 sm:hidden">
          <ZoneSwitch />
        </div>
      )}
      {paging && <LoadMore {...paging} />}
    </div>
  );
}

const PHONE_CLASS = {
  title: 'max-sm:order-1 max-sm:justify-start',
  figure: 'max-sm:order-2 max-sm:justify-end',
  note: 'max-sm:order-3 max-sm:justify-start',
  aside: 'max-sm:order-4 max-sm:justify-end',
  line: 'max-sm:order-5 max-sm:col-span-2',
  corner: 'max-sm:order-2 max-sm:justify-end',
  none: 'max-sm:hidden',
} as const;

interface DataTableRowProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'onOpen' | 'hrefOf'> {
  row: Row;
  decimals: Decimals;
  className?: string;
}

/** A row of a `DataTable`, to compose what an expanded row shows. */
export function DataTableRow<Row>(props: DataTableRowProps<Row>) {
  const { row, columns, decimals, onOpen, hrefOf, className } = props;
  const named = columns.find((column) => column.head) ?? columns[0];
  const hasCorner = columns.some(({ phone }) => phone === 'figure' || phone === 'corner');
  return (
    <Tr
      className={cn(
        'relative max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_fit-content(60%)] max-sm:items-center max-sm:gap-x-4',
        onOpen && 'cursor-pointer',
        className,
      )}
      onClick={onOpen ? (event) => openUnlessActed(event, () => onOpen(row)) : undefined}
    >
      {columns.map((column) => {
        const head = column === named;
        const phone = column.phone ?? (head ? 'title' : 'line');
        const content = column.cell(row, decimals[column.id]);
        return (
          <Td
            key={column.id}
            head={head}
            numeric={column.numeric}
            label={phone === 'line' && !column.titleHidden ? column.title : undefined}
            className={cn(
              PHONE_CLASS[phone],
              phone === 'title' && !hasCorner && 'max-sm:col-span-2',
              column.titleHidden && 'max-sm:justify-end',
              content === null && 'max-sm:hidden',
              column.className,
            )}
          >
            {head ? <RowTitle row={row} onOpen={onOpen} hrefOf={hrefOf} content={content} /> : content}
          </Td>
        );
      })}
    </Tr>
  );
}

interface RowTitleProps<Row> {
  row: Row;
  onOpen: ((row: Row) => void) | undefined;
  hrefOf: ((row: Row) => string | null) | undefined;
  content: ReactNode;
}

function RowTitle<Row>({ row, onOpen, hrefOf, content }: RowTitleProps<Row>) {
  const href = hrefOf?.(row);
  if (href)
    return (
      <Link href={href} data-row-main prefetch={false} className="min-w-0 rounded-sm hover:underline">
        {content}
      </Link>
    );
  // On a phone the cell is a flex row, so keep the lines of a title in one child.
  if (!onOpen) return <div className="min-w-0">{content}</div>;
  return (
    <button
      type="button"
      data-row-main
      aria-haspopup="dialog"
      className="min-w-0 rounded-sm text-left"
      onClick={() => onOpen(row)}
    >
      {content}
    </button>
  );
}

/** Opens the row on a click, except on a control inside it or at the end of a text selection. */
function openUnlessActed(event: React.MouseEvent, open: () => void): void {
  if (
    event.target instanceof Element &&
    event.target.closest('a, button, input, select, label, [role="menu"]')
  )
    return;
  if (window.getSelection()?.toString()) return;
  open();
}

/** Arrow keys, Home and End move between rows; Enter clicks. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(event.target instanceof HTMLElement) || !event.target.matches('[data-row-main]')) return;
  const mains = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-main]')];
  const at = mains.indexOf(event.target);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: mains.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  mains[Math.min(mains.length - 1, Math.max(0, next))]?.focus();
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: Sort | null;
  onSort: ((sort: Sort) => void) | undefined;
  /** Whether it names the zone of all times, and switches it. */
  hasZone: boolean;
}

function HeadCell<Row>({ column, sort, onSort, hasZone }: HeadCellProps<Row>) {
  if (!column.sortBy || !onSort)
    return (
      <Th numeric={column.numeric}>
        {column.titleHidden ? <span className="sr-only">{column.title}</span> : column.title}
        {hasZone && <ZoneSwitch className="-my-1 ml-1 align-middle" />}
      </Th>
    );
  const direction = sort?.by === column.id ? sort.direction : null;
  const Icon = direction === 'asc' ? ArrowUp : direction === 'desc' ? ArrowDown : ChevronsUpDown;
  return (
    <Th
      numeric={column.numeric}
      aria-sort={direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none'}
    >
      <button
        type="button"
        className={cn(
          'inline-flex items-center gap-1 rounded-sm hover:text-ink',
          column.numeric && 'flex-row-reverse',
          direction && 'text-ink',
        )}
        onClick={() => onSort(nextSort(column, direction))}
      >
        {column.title}
        <Icon aria-hidden className={cn('size-3', !direction && 'opacity-50')} />
      </button>
      {hasZone && <ZoneSwitch className="-my-1 ml-1 align-middle" />}
    </Th>
  );
}

function nextSort<Row>(column: Column<Row>, direction: Sort['direction'] | null): Sort {
  const first = column.descendingFirst ? 'desc' : 'asc';
  const other = first === 'asc' ? 'desc' : 'asc';
  return { by: column.id, direction: direction === first ? other : first };
}

function describeOrder<Row>({ time }: Column<Row>, direction: Sort['direction']): string {
  if (time) return direction === 'asc' ? 'oldest first' : 'newest first';
  return direction === 'asc' ? 'ascending' : 'descending';
}

interface PhoneSortProps<Row> {
  columns: readonly Column<Row>[];
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}

/** Sorting on a phone, which shows no column headers. */
function PhoneSort<Row>({ columns, sort, onSort }: PhoneSortProps<Row>) {
  const id = useId();
  const options = columns.filter((column) => column.sortBy);
  if (options.length === 0) return null;
  return (
    <div className="flex items-center gap-3 border-b px-4 py-2 sm:hidden">
      <label htmlFor={id} className="shrink-0 text-muted text-sm">
        Sort by
      </label>
      <Select
        id={id}
        value={sort ? `${sort.by} ${sort.direction}` : ''}
        onChange={(event) => {
          const [by = '', direction] = event.target.value.split(' ');
          onSort({ by, direction: direction === 'desc' ? 'desc' : 'asc' });
        }}
      >
        {!sort && <option value="">Default order</option>}
        {options.flatMap((column) =>
          (column.descendingFirst ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const)).map(
            (direction) => (
              <option key={`${column.id} ${direction}`} value={`${column.id} ${direction}`}>
                {`${column.title}: ${describeOrder(column, direction)}`}
              </option>
            ),
          ),
        )}
      </Select>
    </div>
  );
}

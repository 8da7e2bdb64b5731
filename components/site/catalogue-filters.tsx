'use client';

import { useId, useState } from 'react';
import { cn } from '../ui/cn';
import { Select } from '../ui/select';
import { type CatalogueOrder, readOrder } from './catalogue-order';

/** This many single-tool categories are collapsed behind a button. */
const CUT_FROM = 4;

interface CategoriesProps {
  /** With the number of tools in each. */
  categories: { name: string; count: number }[];
  all: number;
  /** Without counts during a search: they are of the whole catalogue. */
  searching: boolean;
  chosen: string;
  onChoose: (category: string) => void;
}

/** Filters by category; the row scrolls sideways on a phone. */
export function Categories({ categories, all, searching, chosen, onChoose }: CategoriesProps) {
  // A removed category stays visible while it is selected, so that it can be deselected.
  const lost = chosen !== '' && !categories.some(({ name }) => name === chosen);
  const [whole, setWhole] = useState(false);
  const few = categories.filter(({ name, count }) => count > 1 || name === chosen);
  // Collapse only if it saves several entries.
  const cut = !whole && categories.length - few.length >= CUT_FROM;
  const options = [
    { name: '', count: all },
    ...(lost ? [{ name: chosen, count: 0 }] : []),
    ...(cut ? few : categories),
  ];
  if (options.length < 3) return null;
  return (
    <fieldset className="flex min-w-0 gap-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:pb-1 sm:flex-wrap">
      <legend className="sr-only">Category</legend>
      {options.map(({ name, count }) => (
        <label
          key={name}
          className={cn(
            'relative shrink-0 cursor-pointer whitespace-nowrap rounded-full border px-3 py-1 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
            name === chosen
              ? 'border-ink bg-ink text-ink-inverse'
              : 'bg-surface text-muted hover:border-line-strong hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="category"
            value={name}
            checked={name === chosen}
            onChange={() => onChoose(name)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {name || 'All'} {!searching && <span className="tabular-nums">{count}</span>}
        </label>
      ))}
      {cut && (
        <button
          type="button"
          className="shrink-0 whitespace-nowrap rounded-full px-3 py-1 text-muted text-sm hover:bg-hover hover:text-ink"
          onClick={() => setWhole(true)}
        >
          {categories.length - few.length} more
        </button>
      )}
    </fieldset>
  );
}

interface OrderChoiceProps {
  order: CatalogueOrder;
  /** While searching, the default order is by relevance; else available tools come first. */
  searching: boolean;
  onChoose: (order: CatalogueOrder) => void;
}

export function OrderChoice({ order, searching, onChoose }: OrderChoiceProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="whitespace-nowrap text-muted text-sm">
        Sort by
      </label>
      <Select
        id={id}
        value={order}
        onChange={(event) => onChoose(readOrder(event.target.value))}
        className="w-40"
      >
        <option value="">{searching ? 'Best match' : 'Available first'}</option>
        <option value="name">Name</option>
        <option value="price">Price</option>
        <option value="rating">Rating</option>
        <option value="calls">Most called</option>
      </Select>
    </div>
  );
}

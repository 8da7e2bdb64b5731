'use client';

import { type ComponentProps, useEffect, useRef } from 'react';
import { cn } from './cn';
import { Search, X } from './icons';
import { Kbd } from './kbd';
import { singleKeysOn } from './single-keys';

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'size'> {
  value: string;
  onValueChange: (value: string) => void;
  /** The accessible name: there is no visible label. */
  label: string;
  /** `/` focuses the field from anywhere on the page. */
  slash?: boolean;
}

export function SearchInput({ value, onValueChange, label, slash, className, ...rest }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!slash) return;
    function onKey(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
      const target = event.target;
      if (
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [contenteditable], [role=dialog]')
      )
        return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [slash]);

  return (
    <div className={cn('relative', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts={slash ? '/' : undefined}
        autoComplete="off"
        spellCheck={false}
        className="field-control h-9 pr-10 pl-9 [&::-webkit-search-cancel-button]:hidden"
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          onValueChange('');
        }}
        {...rest}
      />
      <div className="absolute inset-y-0 right-2 flex items-center">
        {value !== '' ? (
          <button
            type="button"
            aria-label="Clear search"
            className="flex size-7 items-center justify-center rounded-sm text-muted hover:text-ink"
            onClick={() => {
              onValueChange('');
              input.current?.focus();
            }}
          >
            <X aria-hidden className="size-4" />
          </button>
        ) : (
          slash && (
            <Kbd className="pointer-events-none mr-1 max-sm:hidden">
              <span aria-hidden>/</span>
            </Kbd>
          )
        )}
      </div>
    </div>
  );
}

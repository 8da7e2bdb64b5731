'use client';

import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  use,
  useId,
  useState,
} from 'react';
import { cn } from './cn';

interface TabsProps extends Omit<ComponentProps<'div'>, 'onChange'> {
  /** The initial tab. */
  defaultValue?: string;
  /** The current tab, if the page controls it; use with `onValueChange`. */
  value?: string;
  onValueChange?: (value: string) => void;
  children: ReactNode;
}

interface Chosen {
  id: string;
  value: string;
  choose: (value: string) => void;
}

const TabsContext = createContext<Chosen>({ id: '', value: '', choose: () => undefined });

/**
 * `<Tabs defaultValue>` with `TabList label`, `Tab value` and `TabPanel value`. Arrow keys move
 * between tabs.
 */
export function Tabs({ defaultValue = '', value, onValueChange, ...rest }: TabsProps) {
  const id = useId();
  const [own, setOwn] = useState(defaultValue);
  function choose(next: string) {
    setOwn(next);
    onValueChange?.(next);
  }
  return (
    <TabsContext value={{ id, value: value ?? own, choose }}>
      <div {...rest} />
    </TabsContext>
  );
}

/** How each key moves between tabs; it wraps around. */
const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const move = MOVES[event.key];
  if (!move) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]:not(:disabled)')];
  const next = tabs[move(tabs.indexOf(event.target as HTMLElement), tabs.length)];
  event.preventDefault();
  next?.focus();
  // Selection follows the focus: the panel is already rendered.
  next?.click();
}

export function TabList({ label, className, ...rest }: ComponentProps<'div'> & { label: string }) {
  return (
    <div
      role="tablist"
      aria-label={label}
      className={cn('flex gap-4 overflow-x-auto border-b', className)}
      onKeyDown={moveFocus}
      {...rest}
    />
  );
}

export function Tab({ value, className, ...rest }: ComponentProps<'button'> & { value: string }) {
  const tabs = use(TabsContext);
  const active = tabs.value === value;
  return (
    <button
      type="button"
      role="tab"
      id={`${tabs.id}-tab-${value}`}
      aria-selected={active}
      aria-controls={`${tabs.id}-panel-${value}`}
      data-state={active ? 'active' : 'inactive'}
      tabIndex={active ? 0 : -1}
      onClick={() => tabs.choose(value)}
      className={cn(
        '-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 py-2 font-medium text-muted text-sm hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink',
        className,
      )}
      {...rest}
    />
  );
}

export function TabPanel({ value, className, children, ...rest }: ComponentProps<'div'> & { value: string }) {
  const tabs = use(TabsContext);
  const active = tabs.value === value;
  return (
    <div
      role="tabpanel"
      id={`${tabs.id}-panel-${value}`}
      aria-labelledby={`${tabs.id}-tab-${value}`}
      hidden={!active}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the ARIA tabs pattern makes the panel focusable
      tabIndex={0}
      className={cn('pt-4', className)}
      {...rest}
    >
      {active && children}
    </div>
  );
}

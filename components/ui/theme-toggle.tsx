'use client';

import { useId, useSyncExternalStore } from 'react';
import { cn } from './cn';
import { Monitor, Moon, Sun } from './icons';
import { THEME_STORAGE_KEY } from './theme';

const CHOICES = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const;
type Theme = (typeof CHOICES)[number]['value'];

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function currentTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Applies the theme at once and stores it in this browser. */
export function chooseTheme(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(THEME_STORAGE_KEY);
    else localStorage.setItem(THEME_STORAGE_KEY, theme);
  } catch {
    // Storage is unavailable: the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

/** System, light or dark, as radio buttons. `labels` shows the names next to the icons. */
export function ThemeToggle({ labels, className }: { labels?: boolean; className?: string }) {
  // A page may have two toggles (header and phone menu), so each needs its own group name.
  const group = useId();
  const theme = useSyncExternalStore(subscribe, currentTheme, () => null);
  return (
    <fieldset className={cn('inline-flex rounded-md border bg-sunken p-0.5', className)}>
      <legend className="sr-only">Theme</legend>
      {CHOICES.map(({ value, label, icon: Icon }) => (
        <label
          key={value}
          title={labels ? undefined : label}
          className="relative flex h-7 min-w-7 cursor-pointer items-center justify-center gap-1.5 rounded-sm px-1.5 text-muted text-sm hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={group}
            value={value}
            checked={theme === value}
            onChange={() => chooseTheme(value)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          <Icon aria-hidden className="size-4" />
          <span className={cn(!labels && 'sr-only')}>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

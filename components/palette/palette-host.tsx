'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { withBilling } from '../shared/account-path';
import { useChosenSlug } from '../shared/account-scope';
import { NAV_ITEMS } from '../shared/nav-items';
import { Search } from '../ui/icons';
import { Kbd } from '../ui/kbd';
import { lazyOverlay } from '../ui/lazy-overlay';
import { singleKeysOn } from '../ui/single-keys';
import { isTyping, type KeyAct, ShortcutReader } from './shortcuts';

const Palette = lazyOverlay(() => import('./palette').then((module) => module.Palette));
const ShortcutsDialog = lazyOverlay(() =>
  import('./shortcuts-dialog').then((module) => module.ShortcutsDialog),
);

type Shown = 'palette' | 'help' | null;

/**
 * The palette's button in the header, and the dashboard's keyboard shortcuts. The dialogs are
 * loaded on first use.
 */
export function PaletteHost() {
  const [shown, setShown] = useState<Shown>(null);
  const used = useRef(new Set<Shown>());
  const opener = useRef<Element | null>(null);
  const pathname = usePathname();
  const path = useRef(pathname);
  useEffect(() => {
    path.current = pathname;
  }, [pathname]);

  const show = useCallback((next: Shown) => {
    // When one dialog replaces the other, keep the opener of the first.
    if (next !== null && !document.activeElement?.closest('[role=dialog]'))
      opener.current = document.activeElement;
    if (next !== null) used.current.add(next);
    setShown(next);
  }, []);
  useShortcuts(show);

  /** Restores the focus to the opener, or to the content if the page has changed. */
  const restoreFocus = useCallback((from: string) => {
    const back = opener.current;
    const stay = path.current === from && back instanceof HTMLElement && back.isConnected;
    (stay ? back : document.getElementById('main'))?.focus({ preventScroll: true });
  }, []);

  const overlay = (name: 'palette' | 'help') => ({
    open: shown === name,
    onOpenChange: (open: boolean) => show(open ? name : null),
    onClosed: restoreFocus,
  });
  return (
    <>
      <PaletteButton onPress={() => show('palette')} open={shown === 'palette'} />
      {used.current.has('palette') && <Palette {...overlay('palette')} onHelp={() => show('help')} />}
      {used.current.has('help') && <ShortcutsDialog {...overlay('help')} />}
    </>
  );
}

function PaletteButton({ onPress, open }: { onPress: () => void; open: boolean }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-keyshortcuts="Control+K Meta+K"
      className="flex h-9 items-center gap-2.5 rounded-md text-muted text-sm hover:text-ink max-sm:w-9 max-sm:justify-center max-sm:hover:bg-hover sm:w-64 sm:border sm:bg-surface sm:px-3 sm:hover:border-line-strong"
      onPointerEnter={Palette.prefetch}
      onFocus={Palette.prefetch}
      onClick={onPress}
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="max-sm:sr-only">Search or go to</span>
      <PaletteKeys className="ml-auto max-sm:hidden" />
    </button>
  );
}

/**
 * `⌘ K` on a Mac, `Ctrl K` elsewhere. Fixed width, so that detecting the platform shifts nothing.
 */
function PaletteKeys({ className }: { className?: string }) {
  const mac = useSyncExternalStore(
    () => () => undefined,
    () => /Mac|iPhone|iPad/.test(navigator.platform),
    () => false,
  );
  return (
    <span aria-hidden className={className}>
      <Kbd className="w-14 justify-center">{mac ? '⌘ K' : 'Ctrl K'}</Kbd>
    </span>
  );
}

/** The search field of the page that `/` focuses, if there is one. */
function pageSearch(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main input[aria-keyshortcuts="/"]');
}

function useShortcuts(show: (next: Shown) => void): void {
  const router = useRouter();
  const slug = useChosenSlug();
  useEffect(() => {
    const reader = new ShortcutReader();
    function act(what: KeyAct): boolean {
      switch (what.kind) {
        case 'palette':
          show('palette');
          return true;
        case 'help':
          show('help');
          return true;
        case 'search':
          // The page's search field handles the same key.
          if (pageSearch()) return false;
          show('palette');
          return true;
        case 'go': {
          const place = NAV_ITEMS.find(({ go }) => go === what.letter);
          if (place) router.push(place.scoped ? withBilling(place.href, slug) : place.href);
          return place !== undefined;
        }
      }
    }
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      const what = reader.read(
        {
          key: event.key,
          command: event.metaKey || event.ctrlKey,
          alt: event.altKey,
          typing: isTyping(event.target),
          atMs: event.timeStamp,
        },
        singleKeysOn(),
      );
      if (what && act(what)) event.preventDefault();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [show, router, slug]);
}

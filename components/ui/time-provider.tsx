'use client';

import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { FORMAT_COOKIE, type TimePreferences, ZONE_COOKIE } from './time-format';
import { whenIdle } from './when-idle';

interface TimeContext extends TimePreferences {
  /** Changes each minute, so that relative times are rendered again. */
  minute: number;
  setAbsolute: (absolute: boolean) => void;
}

const Context = createContext<TimeContext>({
  zone: 'UTC',
  absolute: false,
  minute: 0,
  setAbsolute: () => {},
});

const MINUTE_MS = 60_000;
const YEAR_SECONDS = 31_536_000;

/**
 * Gives all times of a page one zone and one format. A first visit is rendered in UTC; the zone is
 * then corrected in a transition, which does not block the page.
 */
export function TimeProvider({ children, ...initial }: TimePreferences & { children: ReactNode }) {
  const [zone, setZone] = useState(initial.zone);
  const [absolute, setAbsolute] = useState(initial.absolute);
  const [minute, setMinute] = useState(0);
  useEffect(
    () =>
      whenIdle(() => {
        const actual = new Intl.DateTimeFormat().resolvedOptions().timeZone;
        if (actual === zone) return;
        writeCookie(ZONE_COOKIE, actual);
        startTransition(() => setZone(actual));
      }),
    [zone],
  );
  useEffect(() => {
    const timer = setInterval(() => startTransition(() => setMinute((count) => count + 1)), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const value = useMemo(
    () => ({
      zone,
      absolute,
      minute,
      setAbsolute(next: boolean) {
        writeCookie(FORMAT_COOKIE, next ? 'absolute' : 'relative');
        setAbsolute(next);
      },
    }),
    [zone, absolute, minute],
  );
  return <Context value={value}>{children}</Context>;
}

/** The reader's zone and format of times, and the setter of the format. */
export function useTimes(): TimeContext {
  return useContext(Context);
}

function writeCookie(name: string, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}

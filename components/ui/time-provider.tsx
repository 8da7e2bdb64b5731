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
import { ZONE_COOKIE } from './time-format';

interface TimeContext {
  zone: string;
  /** Changes each minute, so that relative times are rendered again. */
  minute: number;
  /** Switches between UTC and the zone of the device. */
  switchZone: () => void;
}

const Context = createContext<TimeContext>({ zone: 'UTC', minute: 0, switchZone: () => {} });

const MINUTE_MS = 60_000;
const YEAR_SECONDS = 31_536_000;

/** Gives all times of a page one zone: UTC, until the reader chooses that of the device. */
export function TimeProvider({ children, ...initial }: { zone: string; children: ReactNode }) {
  const [zone, setZone] = useState(initial.zone);
  const [minute, setMinute] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => startTransition(() => setMinute((count) => count + 1)), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const value = useMemo(
    () => ({
      zone,
      minute,
      switchZone() {
        const next = zone === 'UTC' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC';
        writeCookie(ZONE_COOKIE, next);
        setZone(next);
      },
    }),
    [zone, minute],
  );
  return <Context value={value}>{children}</Context>;
}

/** The zone of all times, and how to switch it. */
export function useTimes(): TimeContext {
  return useContext(Context);
}

function writeCookie(name: string, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}

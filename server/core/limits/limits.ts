interface CallWindow {
  /** In headers and errors. */
  name: string;
  seconds: number;
  /** In words, after “60 calls”. */
  per: string;
  /** In the shapes of limits. */
  field: `per_${string}`;
  setting: `RATE_PER_${string}`;
  /** Calls by default, and the most that an operator may allow. */
  quota: number;
  max: number;
}

/**
 * The rate-limit windows of an API key, in the order of `api_keys.window_used`: append only, three
 * at most (db/functions/exceeded_window.sql and window_*.sql have three lines). Settings, wire
 * shapes, headers, errors and forms are made from the entry. Decision 0005 says when one starts.
 */
export const CALL_WINDOWS = [
  {
    name: 'minute',
    seconds: 60,
    per: 'a minute',
    field: 'per_minute',
    setting: 'RATE_PER_MINUTE',
    quota: 60,
    max: 1_000_000,
  },
  {
    name: 'hour',
    seconds: 3_600,
    per: 'an hour',
    field: 'per_hour',
    setting: 'RATE_PER_HOUR',
    quota: 1_000,
    max: 10_000_000,
  },
] as const satisfies readonly [CallWindow, CallWindow?, CallWindow?];

type Window = (typeof CALL_WINDOWS)[number];
export type WindowName = Window['name'];
export type WindowField = Window['field'];

type Make<Value> = (window: Window, place: number) => Value;

/** Makes an object with a key for each window, by default its field in the shapes of limits. */
export function mapWindows<Value>(make: Make<Value>): Record<WindowField, Value>;
export function mapWindows<Key extends string, Value>(
  make: Make<Value>,
  toKey: (window: Window) => Key,
): Record<Key, Value>;
export function mapWindows(
  make: Make<unknown>,
  toKey: (window: Window) => string = ({ field }) => field,
): object {
  return Object.fromEntries(CALL_WINDOWS.map((window, place) => [toKey(window), make(window, place)]));
}

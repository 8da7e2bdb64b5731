/** The zone that a reader has chosen. A cookie, so that the server renders the same text. */
export const ZONE_COOKIE = 'clock-zone';

/**
 * The zone of all times on the pages: UTC, as sums, limits and files have it, unless the reader has
 * chosen their own. As named: servers and browsers may have other canonical names.
 */
export function readZone(text: string | undefined): string {
  if (text === undefined) return 'UTC';
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: text });
    return text;
  } catch {
    return 'UTC';
  }
}

type TimeFormat = 'date' | 'minute' | 'weekday' | 'second' | 'clock';

/** The parts of a moment in a zone. */
interface TimeParts {
  weekday: string;
  day: number;
  /** From 0. */
  month: number;
  year: number;
  /** `14:03:22`. */
  time: string;
  zone: string;
}

/**
 * `25 Oct 2026`, `25 Oct 2026, 14:03 UTC`, `Sun 25 Oct, 14:03`, `25 Oct 2026, 14:03:22 GMT+1` or
 * `14:03:22`. Intl gives only the parts: its patterns differ between server and browser.
 */
export function formatTime(moment: Date, format: TimeFormat, zone: string): string {
  const parts = zone === 'UTC' ? readUtcParts(moment) : readZoneParts(moment, zone);
  const day = `${parts.day} ${MONTHS[parts.month] ?? ''}`;
  const minute = parts.time.slice(0, 5);
  switch (format) {
    case 'date':
      return `${day} ${parts.year}`;
    case 'minute':
      return `${day} ${parts.year}, ${minute} ${parts.zone}`;
    case 'weekday':
      return `${parts.weekday} ${day}, ${minute}`;
    case 'second':
      return `${day} ${parts.year}, ${parts.time} ${parts.zone}`;
    case 'clock':
      return parts.time;
  }
}

/**
 * A time in a log: `14:03:22` today, `25 Oct, 14:03:22` earlier, `25 Oct 2025, 14:03` in another
 * year. What lists them names the zone once.
 * @param toMinute leaves out the seconds, of a time that is known to the minute
 */
export function formatLogTime(moment: Date, zone: string, now: Date, toMinute = false): string {
  const read = (at: Date) => (zone === 'UTC' ? readUtcParts(at) : readZoneParts(at, zone));
  const [parts, today] = [read(moment), read(now)];
  const day = `${parts.day} ${MONTHS[parts.month] ?? ''}`;
  const time = toMinute ? parts.time.slice(0, 5) : parts.time;
  if (parts.year !== today.year) return `${day} ${parts.year}, ${parts.time.slice(0, 5)}`;
  return parts.month === today.month && parts.day === today.day ? time : `${day}, ${time}`;
}

/** `UTC`, `Berlin time`: how a zone is named next to times. */
export function nameZone(zone: string): string {
  return zone === 'UTC' ? zone : `${zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;
}

const WEEKDAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

/** Without Intl, whose first use blocks a phone for 60 ms. */
function readUtcParts(moment: Date): TimeParts {
  return {
    weekday: WEEKDAYS[moment.getUTCDay()] ?? '',
    day: moment.getUTCDate(),
    month: moment.getUTCMonth(),
    year: moment.getUTCFullYear(),
    time: moment.toISOString().slice(11, 19),
    zone: 'UTC',
  };
}

/** Creating one takes longer than formatting a page of times. */
const MAX_FORMATTERS = 100;
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(zone: string): Intl.DateTimeFormat {
  const existing = formatters.get(zone);
  if (existing) return existing;
  const formatter = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone: zone,
  });
  // Visitors name the zones, in any spelling.
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(zone, formatter);
  return formatter;
}

function readZoneParts(moment: Date, zone: string): TimeParts {
  const found: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of getFormatter(zone).formatToParts(moment)) found[type] = value;
  const { weekday = '', day, month, year, hour, minute, second, timeZoneName = '' } = found;
  const time = [hour, minute, second].map((part = '') => part.padStart(2, '0')).join(':');
  return {
    weekday,
    day: Number(day),
    month: Number(month) - 1,
    year: Number(year),
    time,
    zone: timeZoneName,
  };
}

/** `25 Oct`, in UTC. */
export function formatUtcDay(moment: Date): string {
  return `${moment.getUTCDate()} ${formatUtcMonth(moment)}`;
}

/** `Sun 25 Oct`, in UTC. */
export function formatUtcWeekday(moment: Date): string {
  return `${WEEKDAYS[moment.getUTCDay()]} ${formatUtcDay(moment)}`;
}

/** `Oct`, in UTC. */
export function formatUtcMonth(moment: Date): string {
  return MONTHS[moment.getUTCMonth()] ?? '';
}

const MINUTE_MS = 60_000;
const STEPS: readonly [limitMs: number, unitMs: number, unit: string][] = [
  [60 * MINUTE_MS, MINUTE_MS, 'minute'],
  [24 * 60 * MINUTE_MS, 60 * MINUTE_MS, 'hour'],
  [30 * 24 * 60 * MINUTE_MS, 24 * 60 * MINUTE_MS, 'day'],
  [365 * 24 * 60 * MINUTE_MS, 30 * 24 * 60 * MINUTE_MS, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 24 * 60 * MINUTE_MS, 'year'],
];

/**
 * `in 2 hours`, `1 day ago`, `just now`. Never "yesterday" or "last month": these are days of a
 * calendar, and 47 hours ago is not yesterday.
 */
export function formatRelative(deltaMs: number): string {
  const distance = Math.abs(deltaMs);
  if (distance < MINUTE_MS) return deltaMs > 0 ? 'in a moment' : 'just now';
  for (const [limit, unitMs, unit] of STEPS)
    if (distance < limit) return writeRelative(Math.trunc(deltaMs / unitMs), unit);
  return '';
}

function writeRelative(count: number, unit: string): string {
  const words = `${Math.abs(count)} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;
  return count > 0 ? `in ${words}` : `${words} ago`;
}

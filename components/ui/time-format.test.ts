import { expect, it } from 'vitest';
import { formatLogTime, formatRelative, formatTime, formatUtcDay, nameZone, readZone } from './time-format';

const moment = new Date('2026-10-25T00:30:05Z');

it('writes a time the same way everywhere, in the zone of the reader', () => {
  expect(formatTime(moment, 'minute', 'Europe/Berlin')).toMatch(/^25 Oct 2026, 02:30 (CEST|GMT\+2)$/);
  expect(formatTime(moment, 'second', 'UTC')).toBe('25 Oct 2026, 00:30:05 UTC');
  expect(formatTime(moment, 'date', 'America/New_York')).toBe('24 Oct 2026');
  expect(formatRelative(-61_000)).toBe('1 minute ago');
});

it('has one pattern for every zone, on both sides of a change of clocks', () => {
  const write = (at: string, zone: string) => formatTime(new Date(at), 'weekday', zone);
  expect(write('2026-10-25T00:30:00Z', 'UTC')).toBe('Sun 25 Oct, 00:30');
  expect(write('2026-10-25T00:30:00Z', 'Europe/Berlin')).toBe('Sun 25 Oct, 02:30');
  expect(write('2026-10-25T01:30:00Z', 'Europe/Berlin')).toBe('Sun 25 Oct, 02:30');
  expect(write('2026-03-29T01:00:00Z', 'Europe/Berlin')).toBe('Sun 29 Mar, 03:00');
  expect(write('2026-09-10T23:00:00Z', 'Asia/Kathmandu')).toBe('Fri 11 Sept, 04:45');
  expect(formatTime(moment, 'date', 'Africa/Cairo')).toBe('25 Oct 2026');
  expect(formatTime(new Date('2026-11-26T00:05:09Z'), 'second', 'Etc/GMT')).toMatch(
    /^26 Nov 2026, 00:05:09 (GMT|UTC)$/,
  );
});

it('calls a distance by its length: 47 hours ago is not yesterday', () => {
  const hour = 3_600_000;
  expect(formatRelative(-47 * hour)).toBe('1 day ago');
  expect(formatRelative(47 * hour)).toBe('in 1 day');
  expect(formatRelative(-59 * 24 * hour)).toBe('1 month ago');
});

it('reads the zone from a cookie, and ignores what is no zone', () => {
  expect([undefined, 'Asia/Tokyo', '<script>'].map(readZone)).toEqual(['UTC', 'Asia/Tokyo', 'UTC']);
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].map(nameZone)).toEqual([
    'UTC',
    'Berlin time',
    'Buenos Aires time',
  ]);
});

it('writes a time of a log with as much of its date as differs from today', () => {
  const now = new Date('2026-03-02T23:30:00Z');
  const write = (at: string, zone: string) => formatLogTime(new Date(at), zone, now);
  expect(write('2026-03-02T00:00:01Z', 'UTC')).toBe('00:00:01');
  expect(write('2026-03-01T23:59:59Z', 'UTC')).toBe('1 Mar, 23:59:59');
  expect(write('2025-12-31T23:59:59Z', 'UTC')).toBe('31 Dec 2025, 23:59');
  // In Berlin it is the third already.
  expect(write('2026-03-02T23:00:00Z', 'Europe/Berlin')).toBe('00:00:00');
  expect(write('2026-03-02T22:59:59Z', 'Europe/Berlin')).toBe('2 Mar, 23:59:59');
});

it('writes UTC and relative times as Intl does', () => {
  const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const seconds = { ...day, year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  for (let month = 0; month < 12; month++) {
    const at = new Date(Date.UTC(2026, month, month * 2 + 1, month * 2, month, 59 - month));
    const hour = { ...day, weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;
    expect(formatTime(at, 'weekday', 'UTC')).toBe(
      at.toLocaleString('en-GB', hour).replace(/^(\w+), /, '$1 '),
    );
    expect(formatUtcDay(at)).toBe(at.toLocaleDateString('en-GB', day));
    const exact = at.toLocaleString('en-GB', { ...seconds, timeZoneName: 'short' });
    expect(formatTime(at, 'second', 'UTC')).toBe(exact);
    expect(exact.replace(/:\d\d UTC/, ' UTC')).toBe(formatTime(at, 'minute', 'UTC'));
  }
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  const units = {
    minute: 60_000,
    hour: 3_600_000,
    day: 86_400_000,
    month: 2_592_000_000,
    year: 31_536_000_000,
  };
  for (const [unit, ms] of Object.entries(units))
    for (const count of [-2, -1, 1, 2])
      expect(formatRelative(count * ms)).toBe(relative.format(count, unit as Intl.RelativeTimeFormatUnit));
});

import { expect, it } from 'vitest';
import { measureCpuMs } from '@/test/support/measure-cpu-ms';
import { createLogger, withContext } from './log';

function logInto(level?: 'debug' | 'warn') {
  const lines: string[] = [];
  const log = createLogger((line) => lines.push(line), { level });
  return { log, lines, last: () => JSON.parse(lines.at(-1) as string) };
}

it('writes one JSON object per line for any text and field name @D11', () => {
  const { log, lines, last } = logInto();
  const forged = '\r\n{"level":"fatal"}\u2028\u001b[31m';
  log.warn(forged, { tool: forged, level: 'fatal', message: 'other', callId: 'call_1' });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd().split(/\r|\n/)).toHaveLength(1);
  expect(last()).toMatchObject({
    level: 'warn',
    message: forged,
    tool: forged,
    call_id: 'call_1',
    level_given: 'fatal',
    message_given: 'other',
  });
  expect(lines[0]?.match(/"level":/g)).toHaveLength(1);
});

it('redacts secrets in every field, and the line stays valid JSON', () => {
  const { log, lines, last } = logInto();
  const token = `clm_${'a'.repeat(30)}`;
  log.error('used tg_live_abcdef123456', {
    token,
    url: 'postgres://user:hunter2@db:5432/gateway',
    quoted: 'postgres://user:hun"ter2@db',
    error: new Error('spt_1234567890', { cause: new Error('tg_oat_abcdefgh') }),
  });
  expect(lines[0]).not.toMatch(/abcdef123456|aaaaaa|hunter2|ter2|1234567890|abcdefgh/);
  expect(last().url).toBe('postgres://user:[redacted]@db:5432/gateway');
});

it('does not redact text between two fields as a password @D11', () => {
  const { log, last } = logInto();
  log.info('x', { agent: 'http://host', mail: 'a@b.example' });
  expect(last()).toMatchObject({ agent: 'http://host', mail: 'a@b.example' });
});

it('redacts very long texts without blocking', async () => {
  const { log, lines } = logInto();
  const ms = await measureCpuMs(() => {
    for (const text of ['a'.repeat(1_000_000), '://'.repeat(300_000), 'x://a:'.repeat(200_000)])
      log.info(text, { text, error: new Error(text) });
  });
  expect(ms).toBeLessThan(5_000);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(50_000);
});

it('filters by level, and writes errors with name, code and cause', () => {
  const { log, lines, last } = logInto('warn');
  log.info('no');
  log.debug('no');
  expect(lines).toHaveLength(0);
  const cause = Object.assign(new TypeError('deep'), { code: 'E_DEEP' });
  log.error('yes', { error: new Error('shallow', { cause }) });
  expect(last().error).toMatchObject({
    name: 'Error',
    message: 'shallow',
    cause: { name: 'TypeError', message: 'deep', code: 'E_DEEP' },
  });
});

it('limits the size of a line with nested values @D11', () => {
  const { log, lines } = logInto();
  const deep = (levels: number): object => (levels === 0 ? {} : { deep: deep(levels - 1) });
  const error = Object.assign(new Error('x', { cause: { body: 'a'.repeat(500_000) } }), { code: 'E' });
  for (const value of [
    { body: { text: 'a'.repeat(1_000_000) } },
    Array(100_000).fill('text'),
    Array.from({ length: 50 }, () => '\u0000"'.repeat(2_000)),
    Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key ${at}`, at])),
    ['€'.repeat(7_000), '€'.repeat(7_000), '\ud800'.repeat(7_000)],
    deep(5_000),
    Buffer.alloc(1_000_000),
    error,
  ])
    log.info('x', { value, second: 'b'.repeat(1_000_000) });
  expect(lines).toHaveLength(8);
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThan(17_000);
    expect(JSON.parse(line)).toMatchObject({ message: 'x' });
  }
});

it('does not throw on unreadable values @D11', () => {
  const { log, last } = logInto();
  const raising = () => {
    throw new Error('no');
  };
  const holder = Object.defineProperty({ fine: 1 }, 'bad', { enumerable: true, get: raising });
  const proxy = new Proxy({}, { ownKeys: raising, getPrototypeOf: raising });
  const error = Object.defineProperty(new Error('x'), 'message', { get: raising });
  log.info('x', { holder, proxy, error, json: { toJSON: raising }, at: new Date(0) });
  expect(last()).toMatchObject({
    holder: { fine: 1, bad: '[unreadable]' },
    proxy: '[unreadable]',
    error: { message: '[unreadable]' },
    json: '[unreadable]',
    at: '1970-01-01T00:00:00.000Z',
  });
  log.info('x', { bad: new Date(Number.NaN) });
  expect(last()).toMatchObject({ bad: null });
});

it('redacts a secret that crosses the truncation point', () => {
  const { log, lines } = logInto();
  for (const before of [7_990, 15_000 / 6]) {
    const text = `${'a'.repeat(before)} postgres://user:${'hunter'.repeat(10)}@db ${'b'.repeat(9_000)}`;
    log.info('x', { filler: '\u0001'.repeat(before < 5_000 ? 100 : 0), text, nested: { text } });
  }
  for (const line of lines) expect(line).not.toContain('hunter');
});

it('writes numbers outside JSON and circular values', () => {
  const { log, last } = logInto();
  const round: Record<string, unknown> = { amount: 10n };
  round.self = round;
  log.info('x', { round, missing: undefined });
  expect(last()).toMatchObject({ round: { amount: 10 } });
});

it('adds the fields of the current context', () => {
  const { log, last } = logInto();
  withContext(log, () => ({ trace_id: 't1' })).info('x', { callId: 'c' });
  expect(last()).toMatchObject({ trace_id: 't1', call_id: 'c' });
});

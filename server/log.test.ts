import { expect, it } from 'vitest';
import { createLogger, withContext } from './log';
import { computedMs } from './testing/computed-ms';

function logInto(level?: 'debug' | 'warn') {
  const lines: string[] = [];
  const log = createLogger((line) => lines.push(line), { level });
  return { log, lines, last: () => JSON.parse(lines.at(-1) as string) };
}

it('writes one JSON object a line, whatever a text or a name holds', () => {
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

it('keeps secrets out of every field, and the line stays one object', () => {
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

it('does not take what is between two fields for a password', () => {
  const { log, last } = logInto();
  log.info('x', { agent: 'http://host', mail: 'a@b.example' });
  expect(last()).toMatchObject({ agent: 'http://host', mail: 'a@b.example' });
});

it('is not held up by a long text without an end', async () => {
  const { log, lines } = logInto();
  const ms = await computedMs(() => {
    for (const text of ['a'.repeat(1_000_000), '://'.repeat(300_000), 'x://a:'.repeat(200_000)])
      log.info(text, { text, error: new Error(text) });
  });
  expect(ms).toBeLessThan(5_000);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(50_000);
});

it('writes what its level lets through, and errors by name, code and cause', () => {
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

it('writes numbers that JSON does not know, and what leads back to itself', () => {
  const { log, last } = logInto();
  const round: Record<string, unknown> = { amount: 10n };
  round.self = round;
  log.info('x', { round, missing: undefined });
  expect(last()).toMatchObject({ round: { amount: 10 } });
});

it('says what goes on when a line is written', () => {
  const { log, last } = logInto();
  withContext(log, () => ({ trace_id: 't1' })).info('x', { callId: 'c' });
  expect(last()).toMatchObject({ trace_id: 't1', call_id: 'c' });
});

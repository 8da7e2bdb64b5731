import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { skipPauses } from '@/test/support/control-timers';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';

describe('echo', () => {
  it('returns any JSON value unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (message) => {
        const { output } = await runSkill(tool, 'echo', { message });
        expect(JSON.stringify(output)).toBe(JSON.stringify({ message }));
      }),
    );
  });

  it('refuses a message that is missing, too long or too deep', () => {
    const { input } = findSkill(tool, 'echo');
    const depth = 400_000;
    const deep: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    for (const bad of [{}, { message: 'x'.repeat(100_001) }, { message: deep }]) {
      expect(input.safeParse(bad).success).toBe(false);
    }
  });
});

describe('sleep', () => {
  it('reports progress up to 1 and the lines it wrote', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const pauses = skipPauses((ms) => vi.advanceTimersByTime(ms));
    const input = { seconds: 1.5, log_every_seconds: 0.5 };
    const { output, logs, progress } = await runSkill(tool, 'sleep', input);
    vi.useRealTimers();
    expect(pauses).toEqual([500, 500, 500]);
    expect(output).toEqual({ slept_seconds: 1.5, log_lines: 3 });
    expect(logs).toEqual(['slept 0.5 of 1.5 s', 'slept 1.0 of 1.5 s', 'slept 1.5 of 1.5 s']);
    expect(progress).toEqual([1 / 3, 2 / 3, 1]);
  });

  it('stops at once when the call is aborted', async () => {
    const controller = new AbortController();
    const run = runSkill(tool, 'sleep', { seconds: 300 }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(run).rejects.toThrow(/abort/i);
  });
});

describe('spend', () => {
  const { price, input } = findSkill(tool, 'spend');

  it('has a unit that makes pages show its price as a minimum', () => {
    expect(price.unit).toMatch(/, shown is the least$/);
  });

  it('costs exactly the requested amount, to the micro-dollar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (micros) => {
        const call = input.parse({ amount_usd: micros / 1e6 });
        expect(price.quote(call)).toEqual({ platformFee: BigInt(micros), providerCost: 0n });
        expect(price.settle(call, undefined)).toEqual(price.quote(call));
      }),
    );
  });

  it('takes the given time', async () => {
    const pauses = skipPauses();
    await runSkill(tool, 'spend', { amount_usd: 0.001, seconds: 0.1 });
    expect(pauses).toEqual([100]);
  });

  it('stops waiting when the call is aborted', async () => {
    const aborted = runSkill(
      tool,
      'spend',
      { amount_usd: 0.001, seconds: 60 },
      { signal: AbortSignal.timeout(50) },
    );
    await expect(aborted).rejects.toThrow(/abort|timeout/i);
    expect(input.safeParse({ amount_usd: 0.001, seconds: 61 }).success).toBe(false);
  });

  it('refuses an amount that is not a price', () => {
    const refused = [
      0,
      -0.01,
      1.000001,
      0.0000001,
      0.1234567,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '0.1',
      null,
    ];
    for (const amount_usd of refused) expect(input.safeParse({ amount_usd }).success).toBe(false);
  });
});

describe('flaky', () => {
  it('fails in the requested way', async () => {
    await expect(runSkill(tool, 'flaky', { mode: 'throw' })).rejects.toThrow('its mode is throw');
    await expect(runSkill(tool, 'flaky', { mode: 'bad_output' })).rejects.toThrow('invalid');
    await expect(runSkill(tool, 'flaky', { mode: 'fail_rate', fail_rate: 1 })).rejects.toThrow('at random');
    const deadline = AbortSignal.timeout(50);
    await expect(runSkill(tool, 'flaky', { mode: 'timeout' }, { signal: deadline })).rejects.toThrow(
      /timeout/,
    );
  });
});

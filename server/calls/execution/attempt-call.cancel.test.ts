import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFilesForTests, startProviderStubForTests } from '@/test/support/skill-fixtures';
import { tool } from '../../tools/image-generation';
import { noServices } from '../../tools/sdk/no-services';
import { findSkill } from '../../tools/sdk/skill-harness';
import { attemptCall } from './attempt-call';
import { AttemptStop } from './attempt-stop';

const stub = await startProviderStubForTests();
const files = await createFilesForTests();

const skill = findSkill(tool, 'generate');

/** An attempt to generate an image that the provider never finishes. */
const attempt = (
  slot: 'fal' | 'replicate',
  end: { stop?: AttemptStop; deadlineMs: number },
  onLog?: (line: string) => void,
) =>
  attemptCall(skill, {
    input: skill.input.parse({ prompt: 'a lighthouse' }),
    services: noServices({ files, provider: stub.client(slot, 'never-done') }),
    onLog,
    ...end,
  });

afterEach(() => vi.useRealTimers());

describe.each(['fal', 'replicate'] as const)('an order at %s', (slot) => {
  it('is cancelled there when the call is cancelled', async () => {
    const before = stub.images.cancelled.length;
    const stop = new AttemptStop();
    const running = attempt(slot, { stop, deadlineMs: 20_000 }, (line) => {
      if (/generating the picture/.test(line)) stop.stop(new Error('cancelled'));
    });
    expect(await running).toMatchObject({
      ok: false,
      message: 'The call was stopped before the tool finished.',
    });
    await expect.poll(() => stub.images.cancelled.length).toBe(before + 1);
  });

  it('is cancelled there when the call reaches its deadline', async () => {
    const before = stub.images.cancelled.length;
    // Only the deadline of the attempt is faked: waits between polls use the real clock.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = attempt(slot, { deadlineMs: 20_000 }, (line) => {
      if (/generating the picture/.test(line)) vi.advanceTimersByTime(20_000);
    });
    expect(await running).toMatchObject({
      ok: false,
      message: 'The tool did not finish within 20 seconds.',
    });
    await expect.poll(() => stub.images.cancelled.length).toBe(before + 1);
  });
});

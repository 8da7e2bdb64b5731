import { beforeEach, describe, expect, it } from 'vitest';
import { skipPauses } from '@/test/support/control-timers';
import { createFilesForTests, startProviderStubForTests } from '@/test/support/skill-fixtures';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const stub = await startProviderStubForTests();
const files = await createFilesForTests();
beforeEach(() => void skipPauses());

const slots = ['fal', 'replicate'] as const;
const generate = (slot: (typeof slots)[number], input: object, behaviour?: string) =>
  runSkill(
    tool,
    'generate',
    { prompt: 'a lighthouse', ...input },
    { files, provider: stub.client(slot, behaviour) },
  );

describe.each(slots)('generate through %s', (slot) => {
  it('waits until the pictures are made, reports progress, and saves them', async () => {
    const { output, usage, logs, progress } = await generate(slot, { count: 2, aspect: 'wide', seed: 7 });
    expect(output.images).toHaveLength(2);
    for (const image of output.images) {
      expect(image).toMatchObject({ content_type: 'image/png' });
      expect((await files.readBytes(image.asset_id)).subarray(1, 4).toString()).toBe('PNG');
    }
    expect(output.images[1].filename).toBe('image-2.png');
    expect(usage).toEqual({ slot, model: 'flux-schnell', units: 2 });
    expect(logs.length).toBeGreaterThanOrEqual(2);
    expect(progress.at(-1)).toBe(0.9);
  });

  it('reports why a picture could not be made', async () => {
    await expect(generate(slot, {}, 'failed-image')).rejects.toThrow(/flagged|NSFW/);
  });
});

it('refuses a response without a URL for a picture, and opens no other URL', async () => {
  const provider = {
    slot: 'fal',
    isByok: true,
    fetch: async (path: string) =>
      Response.json(
        path.endsWith('/status')
          ? { status: 'COMPLETED' }
          : { request_id: 'a', images: [{ url: 'asset_sample_report' }] },
      ),
  };
  await expect(runSkill(tool, 'generate', { prompt: 'x' }, { files, provider })).rejects.toThrow(
    /does not support/,
  );
});

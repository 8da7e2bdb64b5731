import { describe, expect, it } from 'vitest';
import { createFilesForTests, startProviderStubForTests } from '@/test/support/skill-fixtures';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const stub = await startProviderStubForTests();
const files = await createFilesForTests();

const { input, price, getRequirementsFor } = findSkill(tool, 'text_to_speech');
const slots = (wish: object) => getRequirementsFor?.(input.parse({ text: 'Hello', ...wish }));

describe('text_to_speech', () => {
  it.each([
    ['openai', { voice: 'nova', format: 'mp3', speed: 2 }, 15_000n],
    ['elevenlabs', { voice: 'JBFqnCBsd6RMkjVDRZzb', format: 'opus', speed: 1.1 }, 50_000n],
  ] as const)('returns the speech of %s as an asset, priced by character', async (slot, wish, cost) => {
    const text = 'x'.repeat(1_000);
    const { output, usage } = await runSkill(
      tool,
      'text_to_speech',
      { text, ...wish },
      { files, provider: stub.client(slot) },
    );
    expect(output).toMatchObject({ provider: slot, characters: 1_000 });
    expect(output.audio.filename).toBe(`speech.${wish.format}`);
    expect(await files.readBytes(output.audio.asset_id)).toEqual(await files.readBytes('asset_sample_tone'));
    expect(price.settle(input.parse({ text, ...wish }), usage).providerCost).toBe(cost);
  });

  it('chooses a provider with the voice, format and speed', () => {
    expect(slots({})).toEqual(['openai', 'elevenlabs']);
    expect(slots({ voice: 'coral' })).toEqual(['openai']);
    expect(slots({ voice: 'JBFqnCBsd6RMkjVDRZzb' })).toEqual(['elevenlabs']);
    expect(slots({ format: 'wav' })).toEqual(['openai']);
    expect(slots({ speed: 2 })).toEqual(['openai']);
    expect(slots({ model: 'eleven_multilingual_v2' })).toEqual(['elevenlabs']);
  });

  it.each([
    { provider: 'elevenlabs', format: 'flac' },
    { provider: 'elevenlabs', voice: 'nova' },
    { model: 'tts-1', provider: 'elevenlabs' },
  ])('refuses %j, which no provider supports', (wish) => {
    const { error } = input.safeParse({ text: 'Hello', ...wish });
    expect(error?.issues[0]?.message).toMatch(
      /No provider supports this combination of voice, model, format and speed/,
    );
  });

  it('refuses a voice that would lead to another path', () => {
    for (const voice of ['../v1/user', 'a/b', 'x?y', ''])
      expect(input.safeParse({ text: 'Hello', voice }).success).toBe(false);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderStub, startProviderStub } from '../../testing/provider-stub/stub';
import { runSkill, skillOf } from '../skill-harness';
import { createTestFiles, type TestFiles } from '../test-files';
import { tool } from '.';

let stub: ProviderStub;
let files: TestFiles;
beforeAll(async () => {
  stub = await startProviderStub();
  files = await createTestFiles();
});
afterAll(async () => {
  await stub.close();
  await files.remove();
});

const transcribe = (wish: object, behaviour?: string) =>
  runSkill(tool, 'transcribe', wish, { files, provider: stub.client('openai', behaviour) });
const { input, price } = skillOf(tool, 'transcribe');

describe('transcribe', () => {
  it('sends the file as it is, and gives text, language and length', async () => {
    const { output, usage } = await transcribe({ file: 'asset_sample_tone', language: 'EN' });
    expect(output).toMatchObject({
      text: 'A tone of the stub.',
      segments: null,
      duration_seconds: 2,
      model: 'gpt-transcribe',
    });
    const { body, headers } = stub.received.at(-1) ?? {};
    expect(body?.includes(await files.bytesOf('asset_sample_tone'))).toBe(true);
    expect(body?.toString('latin1')).toMatch(/name="language"\r\n\r\nen\r\n/);
    expect(body?.toString('latin1')).toContain('filename="recording.mp3"');
    expect(headers?.['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(price.settle(input.parse({ file: 'asset_sample_tone' }), usage).providerCost).toBe(150n);
  });

  it('gives the passages with their times by whisper-1', async () => {
    const { output } = await transcribe({ file: 'asset_sample_clip', timestamps: true });
    expect(output).toMatchObject({ model: 'whisper-1', language: 'english' });
    expect(output.segments).toEqual([{ start: 0, end: 1.8, text: 'A tone of the stub.' }]);
  });

  it('fails, and so costs nothing, where it is longer than the caller wants to pay for', async () => {
    await expect(transcribe({ file: 'asset_sample_tone', max_minutes: 5 }, 'long-audio')).rejects.toThrow(
      'max_minutes: the recording has 120 minutes, more than the 5 you want to pay for',
    );
  });

  it('refuses what is no recording, whatever it is called, before it asks anyone', async () => {
    const before = stub.received.length;
    const fake = await files.add('speech.mp3', Buffer.from('not a sound'));
    for (const file of [fake, 'asset_sample_photo'])
      await expect(transcribe({ file })).rejects.toThrow(/file: it is no recording/);
    const large = await files.add('large.mp3', Buffer.alloc(26 * 1024 * 1024));
    await expect(transcribe({ file: large })).rejects.toThrow(/larger than/);
    expect(stub.received.length).toBe(before);
  });

  it('refuses timestamps of a model that gives none', () => {
    const { error } = input.safeParse({ file: 'asset_a', timestamps: true, model: 'gpt-transcribe' });
    expect(error?.issues[0]?.message).toMatch(/Choose whisper-1/);
  });
});

import { describe, expect, it } from 'vitest';
import { setProgramPaths } from '../../platform/workers/programs';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { createRecordings } from './testing/recordings';

const {
  stub: getStub,
  files: getFiles,
  missing,
  made,
  transcribe,
  expectLengthMeasured,
} = createRecordings();
const { input, price } = findSkill(tool, 'transcribe');

describe('transcribe', () => {
  it('sends the file unchanged, and returns text, language and duration', async () => {
    const { output, usage } = await transcribe({ file: 'asset_sample_tone', language: 'EN' });
    expect(output).toMatchObject({
      text: 'A tone of the stub.',
      segments: null,
      duration_seconds: 2,
      model: 'gpt-transcribe',
    });
    const { body, headers } = getStub().received.at(-1) ?? {};
    expect(body?.includes(await getFiles().readBytes('asset_sample_tone'))).toBe(true);
    expect(body?.toString('latin1')).toMatch(/name="language"\r\n\r\nen\r\n/);
    expect(body?.toString('latin1')).toContain('filename="recording.mp3"');
    expect(headers?.['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(price.settle(input.parse({ file: 'asset_sample_tone' }), usage).providerCost).toBe(150n);
  });

  it.skipIf(missing)('accepts a voice message in Opus', async () => {
    const voice = await made('voice.ogg', ['-f', 'lavfi', '-i', 'sine=d=2', '-c:a', 'libopus']);
    expect((await transcribe({ file: voice })).output.text).toBe('A tone of the stub.');
  });

  it('returns segments with their times from whisper-1', async () => {
    const { output } = await transcribe({ file: 'asset_sample_clip', timestamps: true });
    expect(output).toMatchObject({ model: 'whisper-1', language: 'english' });
    expect(output.segments).toEqual([{ start: 0, end: 1.8, text: 'A tone of the stub.' }]);
  });

  it.skipIf(missing)('refuses a recording longer than max_minutes before the provider is paid', () =>
    expectLengthMeasured(200),
  );

  it("sends nothing that it cannot measure at the gateway's cost", async () => {
    const provider = getStub().client('openai');
    const wish = { file: 'asset_sample_tone' };
    setProgramPaths({ ffmpeg: '/nowhere/ffmpeg' });
    try {
      const before = getStub().received.length;
      const asking = runSkill(tool, 'transcribe', wish, {
        files: getFiles(),
        provider: { ...provider, isByok: false },
      });
      await expect(asking).rejects.toThrow('no ffmpeg to measure recordings. Bring your own OpenAI key.');
      expect(getStub().received.length).toBe(before);
      expect(
        (await runSkill(tool, 'transcribe', wish, { files: getFiles(), provider })).output.text,
      ).toBeTruthy();
    } finally {
      setProgramPaths({ ffmpeg: null });
    }
  });

  it('charges at most max_minutes if OpenAI counts more, and returns the text', async () => {
    const wish = { file: 'asset_sample_tone', max_minutes: 5 };
    const { output, usage } = await transcribe(wish, 'long-audio');
    expect(output).toMatchObject({ text: 'A tone of the stub.', duration_seconds: 7_200 });
    expect(price.settle(input.parse(wish), usage)).toEqual(price.quote(input.parse(wish)));
  });

  it('refuses a file that is not a recording, whatever its name, before it calls a provider', async () => {
    const before = getStub().received.length;
    const fake = await getFiles().add('speech.mp3', Buffer.from('not a sound'));
    for (const file of [fake, 'asset_sample_photo'])
      await expect(transcribe({ file })).rejects.toThrow(/file: OpenAI does not support this format/);
    const large = await getFiles().add('large.mp3', Buffer.alloc(26 * 1024 * 1024));
    await expect(transcribe({ file: large })).rejects.toThrow(/larger than/);
    expect(getStub().received.length).toBe(before);
  });

  it('refuses timestamps for a model without them', () => {
    const { error } = input.safeParse({ file: 'asset_a', timestamps: true, model: 'gpt-transcribe' });
    expect(error?.issues[0]?.message).toMatch(/Use whisper-1/);
  });
});

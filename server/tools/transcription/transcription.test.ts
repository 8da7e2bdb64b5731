import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderStub, startProviderStub } from '../../testing/provider-stub/stub';
import { runFfmpeg, whyNoFfmpeg } from '../media/run-ffmpeg';
import { setProgramPaths } from '../programs';
import { runSkill, skillOf } from '../skill-harness';
import { createTestFiles, type TestFiles } from '../test-files';
import { tool } from '.';

let stub: ProviderStub;
let files: TestFiles;
let folder = '';
const missing = await whyNoFfmpeg();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  stub = await startProviderStub();
  files = await createTestFiles();
});
afterAll(async () => {
  await stub.close();
  await files.remove();
  await rm(folder, { recursive: true });
});

async function ffmpeg(...args: string[]): Promise<void> {
  expect(await runFfmpeg(args, { signal: AbortSignal.timeout(20_000) })).toMatchObject({ ok: true });
}
async function made(name: string, args: string[]): Promise<string> {
  await ffmpeg(...args, `file:${join(folder, name)}`);
  return await files.add(name, await readFile(join(folder, name)));
}

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

  it.skipIf(missing)('takes a voice message in Opus', async () => {
    const voice = await made('voice.ogg', ['-f', 'lavfi', '-i', 'sine=d=2', '-c:a', 'libopus']);
    expect((await transcribe({ file: voice })).output.text).toBe('A tone of the stub.');
  });

  it('gives the passages with their times by whisper-1', async () => {
    const { output } = await transcribe({ file: 'asset_sample_clip', timestamps: true });
    expect(output).toMatchObject({ model: 'whisper-1', language: 'english' });
    expect(output.segments).toEqual([{ start: 0, end: 1.8, text: 'A tone of the stub.' }]);
  });

  it.skipIf(missing)(
    'refuses what is longer than the caller wants to pay for before anyone is paid for it',
    async () => {
      const before = stub.received.length;
      // FLAC of silence: three hours in less than 2 MiB, and its own header says nothing of its
      // length.
      const long = await made('long.flac', ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '10800']);
      await expect(transcribe({ file: long, max_minutes: 179 })).rejects.toThrow(
        'max_minutes: the recording has more than the 179 minutes you want to pay for',
      );
      // Its times say that it is as long as its caller wants to pay for; it is ten times as long.
      const plain = `file:${join(folder, 'plain.webm')}`;
      await ffmpeg('-f', 'lavfi', '-i', 'sine=d=120', '-c:a', 'libopus', '-b:a', '6k', plain);
      const squeezed = await made('squeezed.webm', ['-itsscale', '0.1', '-i', plain, '-c', 'copy']);
      await expect(transcribe({ file: squeezed, max_minutes: 1 })).rejects.toThrow('more than the 1 minutes');
      expect(stub.received.length).toBe(before);
      await transcribe({ file: long, max_minutes: 180 });
      expect(stub.received.length).toBe(before + 1);
    },
  );

  it('sends nothing at the cost of the gateway that it cannot measure', async () => {
    const provider = stub.client('openai');
    const wish = { file: 'asset_sample_tone' };
    setProgramPaths({ ffmpeg: '/nowhere/ffmpeg' });
    try {
      const before = stub.received.length;
      const asking = runSkill(tool, 'transcribe', wish, { files, provider: { ...provider, isOwn: false } });
      await expect(asking).rejects.toThrow('its operator has to install ffmpeg. Bring your own key');
      expect(stub.received.length).toBe(before);
      expect((await runSkill(tool, 'transcribe', wish, { files, provider })).output.text).toBeTruthy();
    } finally {
      setProgramPaths({ ffmpeg: null });
    }
  });

  it('charges the most that was wanted where OpenAI counts more, and gives the text that was paid for', async () => {
    const wish = { file: 'asset_sample_tone', max_minutes: 5 };
    const { output, usage } = await transcribe(wish, 'long-audio');
    expect(output).toMatchObject({ text: 'A tone of the stub.', duration_seconds: 7_200 });
    expect(price.settle(input.parse(wish), usage)).toEqual(price.quote(input.parse(wish)));
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

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ProviderStub, startProviderStub } from '@/test/support/provider-stub/stub';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { findMissingFfmpeg, runFfmpeg } from '../../media/run-ffmpeg';
import { runSkill } from '../../sdk/skill-harness';
import { tool } from '../index';

const missing = await findMissingFfmpeg();

/** Sets up recordings made by ffmpeg and a fake provider for the tests of a file. */
export function createRecordings() {
  let stub: ProviderStub;
  let files: TestFiles;
  let folder = '';
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
    expect(await runFfmpeg(args, { signal: AbortSignal.timeout(100_000) })).toMatchObject({ ok: true });
  }
  async function made(name: string, args: string[]): Promise<string> {
    await ffmpeg(...args, `file:${join(folder, name)}`);
    return await files.add(name, await readFile(join(folder, name)));
  }

  const transcribe = (wish: object, behaviour?: string) =>
    runSkill(tool, 'transcribe', wish, { files, provider: stub.client('openai', behaviour) });

  /** Checks that a recording is measured before it is sent, whatever length it declares. */
  async function expectLengthMeasured(seconds: number): Promise<void> {
    const before = stub.received.length;
    const minutes = Math.ceil(seconds / 60);
    // FLAC of silence is small, and its header does not contain its length.
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', String(seconds)];
    const long = await made('long.flac', silence);
    await expect(transcribe({ file: long, max_minutes: minutes - 1 })).rejects.toThrow(
      `max_minutes: the recording is longer than ${minutes - 1} minutes`,
    );
    // Its timestamps declare a tenth of its real length, within what the caller pays for.
    const plain = `file:${join(folder, 'plain.webm')}`;
    await ffmpeg('-f', 'lavfi', '-i', 'sine=d=120', '-c:a', 'libopus', '-b:a', '6k', plain);
    const squeezed = await made('squeezed.webm', ['-itsscale', '0.1', '-i', plain, '-c', 'copy']);
    await expect(transcribe({ file: squeezed, max_minutes: 1 })).rejects.toThrow('longer than 1 minutes');
    expect(stub.received.length).toBe(before);
    await transcribe({ file: long, max_minutes: minutes });
    expect(stub.received.length).toBe(before + 1);
  }

  return { stub: () => stub, files: () => files, missing, made, transcribe, expectLengthMeasured };
}

import { afterAll } from 'vitest';
import { closeWorkers } from '../platform/workers/cpu-pool';
import { createTestFiles, type TestFiles } from '../tools/sdk/test-files';
import { type ProviderStub, startProviderStub } from './provider-stub/stub';

/** Creates files for skills; removes them and stops the workers after the tests of the file. */
export async function createFilesForTests(): Promise<TestFiles> {
  const files = await createTestFiles();
  afterAll(async () => {
    closeWorkers();
    await files.remove();
  });
  return files;
}

/** Starts ten fake providers; stops them after the tests of the file. */
export async function startProviderStubForTests(): Promise<ProviderStub> {
  const stub = await startProviderStub();
  afterAll(() => stub.close());
  return stub;
}

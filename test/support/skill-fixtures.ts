import { afterAll } from 'vitest';
import { type ProviderStub, startProviderStub } from './provider-stub/stub';
import { createTestFiles, type TestFiles } from './test-files';

/** Creates files for skills; removes them and stops the workers after the tests of the file. */
export async function createFilesForTests(): Promise<TestFiles> {
  const files = await createTestFiles();
  afterAll(async () => {
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

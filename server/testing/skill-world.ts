import { afterAll } from 'vitest';
import { closeWorkers } from '../platform/workers/cpu-pool';
import { createTestFiles, type TestFiles } from '../tools/sdk/test-files';
import { type ProviderStub, startProviderStub } from './provider-stub/stub';

/** Files of skills, until the tests of this file have ended; the workers that read them end too. */
export async function filesOfTests(): Promise<TestFiles> {
  const files = await createTestFiles();
  afterAll(async () => {
    closeWorkers();
    await files.remove();
  });
  return files;
}

/** All ten providers, played by one server, until the tests of this file have ended. */
export async function providerStubOfTests(): Promise<ProviderStub> {
  const stub = await startProviderStub();
  afterAll(() => stub.close());
  return stub;
}

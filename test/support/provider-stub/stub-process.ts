import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PROVIDERS, type ProviderName } from '@/server/platform/settings/providers';
import { createProviderClient } from '@/server/tools/sdk/provider-client';
import type { ProviderClient } from '@/server/tools/sdk/skill-context';

/** The stub in a separate process, so that its work does not count as the gateway's. */
export interface StubProcess {
  /** The variables that it prints for export. */
  readonly env: Readonly<Record<string, string>>;
  client(slot: ProviderName): ProviderClient;
  close(): Promise<void>;
}

/** Starts `serve.ts` on a free port; call `close` in afterAll. */
export async function spawnProviderStub(): Promise<StubProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/support/provider-stub/serve.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const env: Record<string, string> = {};
  for await (const line of createInterface(child.stdout)) {
    const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    if (name && value) env[name] = value;
    if (name === 'OUTBOUND_ALLOW') break;
  }
  child.stdout.resume();
  return {
    env,
    client: (slot) =>
      createProviderClient({
        slot,
        authorize: PROVIDERS[slot].authorize,
        baseUrl: env[`${slot.toUpperCase()}_BASE_URL`] ?? '',
        key: env[`${slot.toUpperCase()}_API_KEY`] ?? '',
        isByok: true,
        fetch,
      }),
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

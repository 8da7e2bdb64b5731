import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { findConfinement } from './confinement';
import { getConfinementReport } from './describe';
import type { Layer } from './layers';
import {
  activateLayer,
  deactivateLayers,
  describeCompromised,
  expectNothing,
  FILE,
  isLinux,
  misbehaveInWorker,
  prepareCompromised,
  scratch,
  written,
} from './testing/compromised-process';

prepareCompromised();

const LAYERS = ['bubblewrap', 'namespaces', 'root-namespaces', 'shared-proc-namespaces'] as const;
for (const layer of LAYERS) describeCompromised(layer);

describe('without namespaces', () => {
  it.for<Layer>(['no-new-rights', 'none'])(
    'workers run under Node’s permission model (%s), and the operator sees the missing protections @F2',
    async (layer, test) => {
      if (!(await activateLayer(layer))) return test.skip(`this machine has no ${layer}`);
      const got = await misbehaveInWorker();
      expectNothing(got);
      expect(got.own).toBe('was here');
      const { protections, warnings } = await getConfinementReport();
      expect(protections).toContain("under Node's permission model");
      expect(warnings.join('\n')).toMatch(/can read the data folder.*\n.*can reach the network/s);
    },
  );

  it('workers run on a machine without any confinement', async () => {
    deactivateLayers();
    expect(await findConfinement()).toMatchObject({ layer: 'none', nodePermissions: false });
    const got = await misbehaveInWorker();
    expect(got).toMatchObject({ own: 'was here', connected: true });
    // Proves that the code in the tests above really tries.
    expect(got.secrets).toContain('secret of the data folder');
    for (const path of written()) await rm(path);
    const { warnings } = await getConfinementReport();
    expect(warnings).toHaveLength(6);
  });
});

describe.runIf(isLinux)('a compromised process', () => {
  it.for(LAYERS)('ends when its gateway is killed (%s) @F2', async (layer, test) => {
    if (!(await activateLayer(layer))) return test.skip(`this machine has no ${layer}`);
    const path = join(scratch, `beats-${layer}`);
    const gateway = spawn(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      gatewayScript(layer, path),
    ]);
    await vi.waitUntil(() => existsSync(path), { timeout: 60_000 });
    gateway.kill('SIGKILL');
    await vi.waitUntil(
      async () => {
        const before = statSync(path).size;
        await wait(300);
        return statSync(path).size === before;
      },
      { timeout: 20_000 },
    );
  });
});

it.runIf(isLinux)(
  'namespaces are used where parts of /proc are covered, as in containers @F2',
  async (test) => {
    if (!(await activateLayer('shared-proc-namespaces'))) return test.skip('this machine has no namespaces');
    const script = `
    const { findConfinement } = await import(${JSON.stringify(join(process.cwd(), 'server/platform/confinement/confinement.ts'))});
    process.stdout.write((await findConfinement()).layer);`;
    const covered =
      'mount --bind -o ro /proc/sys /proc/sys && exec unshare -U --map-user=1000 --map-group=1000 "$@"';
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
    const { stdout } = spawnSync('unshare', ['-Urm', 'sh', '-c', covered, 'sh', ...node], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('shared-proc-namespaces');
  },
);

function gatewayScript(layer: Layer, path: string): string {
  const at = (file: string) => JSON.stringify(join(process.cwd(), file));
  return `
    const { runInWorker } = await import(${at('server/platform/workers/cpu-pool.ts')});
    const { limitConfinement } = await import(${at('server/platform/confinement/confinement.ts')});
    const { shareScratch } = await import(${at('server/platform/confinement/folders.ts')});
    shareScratch(${JSON.stringify(dirname(path))});
    limitConfinement({ layers: [${JSON.stringify(layer)}] });
    const options = { signal: new AbortController().signal, timeLimitMs: 120_000 };
    await runInWorker(${JSON.stringify(FILE)}, 'beat', { path: ${JSON.stringify(path)} }, options);`;
}

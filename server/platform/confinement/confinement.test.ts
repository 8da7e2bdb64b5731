import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  activateLayer,
  data,
  deactivateLayers,
  describeCompromised,
  expectNothing,
  isLinux,
  makeFolder,
  misbehaveInWorker,
  neverAborted,
  prepareCompromised,
  programs,
  quote,
  written,
} from '../../testing/tools/compromised-process';
import { runFfmpeg } from '../../tools/media/run-ffmpeg';
import { setProgramPaths } from '../workers/programs';
import { findConfinement, readEndSignal } from './confinement';
import { describeConfinement, getConfinementReport } from './describe';
import { hasNamespaces, type Layer } from './layers';

prepareCompromised();

// The strongest layer of this machine; the deep suite tests the others.
const { layer: strongest } = await findConfinement();
if (hasNamespaces(strongest)) describeCompromised(strongest);

describe('without namespaces', () => {
  it.for<Layer>(['no-new-rights', 'none'])(
    'workers run under Node’s permission model (%s), and the operator sees the missing protections',
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

it.runIf(isLinux)(
  'a program that needs more of the system starts less confined, and the operator sees it',
  async (test) => {
    if (!(await activateLayer('namespaces'))) return test.skip('this machine has no namespaces');
    const program = join(await makeFolder(programs, 'outside'), 'program');
    await writeFile(program, `#!/bin/sh\n[ -e ${quote(join(data, 'secrets.json'))} ] || exit 1\n`, {
      mode: 0o755,
    });
    setProgramPaths({ ffmpeg: program });
    expect(await runFfmpeg([], { signal: neverAborted })).toMatchObject({ ok: true });
    const { warnings } = await getConfinementReport();
    expect(warnings.join()).toContain(`${program} does not start in namespaces`);
  },
);

it('a signal that ended a process is recognised through its wrapper', () => {
  expect([readEndSignal(137, null), readEndSignal(null, 'SIGKILL')]).toEqual(['SIGKILL', 'SIGKILL']);
  expect([readEndSignal(134, null), readEndSignal(1, null)]).toEqual(['SIGABRT', null]);
});

it('the report names each protection that holds, and warns of each missing one', () => {
  const nothing = { files: false, environment: false, processes: false, writing: false, network: false };
  const facts = { ...nothing, privileges: false, scratch: true };
  expect(describeConfinement({ layer: 'namespaces', facts, nodePermissions: true })).toEqual({
    layer: 'namespaces',
    node_permissions: true,
    protections: [
      'in its own namespaces (util-linux)',
      'without the data folder and settings',
      "without the gateway's environment variables",
      'without access to other processes',
      'with read-only files',
      'without network access',
      'without new privileges',
      "under Node's permission model",
    ],
    warnings: [],
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runFfmpeg } from '../../tools/media/run-ffmpeg';
import { setProgramPaths } from '../workers/programs';
import { findConfinement, readEndSignal } from './confinement';
import { describeConfinement, getConfinementReport } from './describe';
import { hasNamespaces } from './layers';
import {
  activateLayer,
  data,
  describeCompromised,
  isLinux,
  makeFolder,
  neverAborted,
  prepareCompromised,
  programs,
  quote,
} from './testing/compromised-process';

prepareCompromised();

// The strongest layer of this machine; the deep suite tests the others, and none.
const { layer: strongest } = await findConfinement();
if (hasNamespaces(strongest)) describeCompromised(strongest);

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

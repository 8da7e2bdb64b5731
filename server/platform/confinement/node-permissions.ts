import { statSync } from 'node:fs';
import { hasNamespaces, type Layer } from './layers';
import type { Sandbox } from './mount-plan';

/** Node's permission model: no child processes, no inspector, and only the files of the sandbox. */
export function nodePermissions(sandbox: Sandbox, layer: Layer): string[] {
  // With namespaces nothing else is visible, so a list would only cost time.
  const read = hasNamespaces(layer) ? ['*'] : [...sandbox.read, ...sandbox.write].map(withContent);
  return [
    // Its name since Node 22.13.
    process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
    '--allow-addons',
    '--allow-worker',
    ...read.map((path) => `--allow-fs-read=${path}`),
    ...sandbox.write.map(withContent).map((path) => `--allow-fs-write=${path}`),
  ];
}

/** A trailing slash makes Node grant a folder with its content. */
function withContent(path: string): string {
  return statSync(path).isDirectory() ? `${path}/` : path;
}

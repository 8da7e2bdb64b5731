import { statSync } from 'node:fs';
import { hasNamespaces, type Layer } from './layers';
import type { Sandbox } from './mount-plan';

/**
 * Node's own permission model: no other programs, no inspector, and files only as far as the
 * sandbox names them.
 */
export function nodePermissions(sandbox: Sandbox, layer: Layer): string[] {
  // Where the file system holds nothing else, a list would only cost time.
  const read = hasNamespaces(layer) ? ['*'] : [...sandbox.read, ...sandbox.write].map(withContent);
  return [
    isStable(process.versions.node) ? '--permission' : '--experimental-permission',
    '--allow-addons',
    '--allow-worker',
    ...read.map((path) => `--allow-fs-read=${path}`),
    ...sandbox.write.map(withContent).map((path) => `--allow-fs-write=${path}`),
  ];
}

/** Node takes a folder with its content where the path ends so. */
function withContent(path: string): string {
  return statSync(path).isDirectory() ? `${path}/` : path;
}

/** From 22.13 on it has its final name. */
function isStable(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
}

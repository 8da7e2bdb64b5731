import { existsSync, mkdirSync, realpathSync } from 'node:fs';

/** The folders of this process that confinement depends on. */
interface ConfinementFolders {
  /** Folders with the files of calls, which workers may read and write. */
  readonly scratch: Set<string>;
  /** The gateway's files, which no confined process may see. */
  readonly hidden: Set<string>;
}

// In globalThis because Next bundles this module more than once.
const processSingleton = globalThis as typeof globalThis & { __toolGatewayPlaces?: ConfinementFolders };

function getFolders(): ConfinementFolders {
  processSingleton.__toolGatewayPlaces ??= { scratch: new Set(), hidden: new Set() };
  return processSingleton.__toolGatewayPlaces;
}

/** Creates a folder and gives workers that start from now on access to it. */
export function shareScratch(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  getFolders().scratch.add(realpathSync(folder));
}

/** Hides files or folders of the gateway from every confined process. */
export function hideFiles(paths: readonly string[]): void {
  for (const path of paths) if (existsSync(path)) getFolders().hidden.add(realpathSync(path));
}

/** Leaves out folders that tests have removed: they could not be mounted. */
export function getScratchFolders(): string[] {
  return [...getFolders().scratch].filter((path) => existsSync(path));
}

export function getHiddenFiles(): string[] {
  return [...getFolders().hidden].filter((path) => existsSync(path));
}

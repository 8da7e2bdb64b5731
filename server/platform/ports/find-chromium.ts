import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserProgram, hasPackagedChromium, preparePackagedChromium } from './packaged-chromium';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Whether pages can be drawn here. */
export function hasBrowser(): boolean {
  return findChromium() !== null || mayUsePackaged(getNamed());
}

/**
 * Finds a browser that can be started: that of this machine, else the packaged one.
 * @param parent the folder to which the packaged one is unpacked
 * @returns null if there is none
 */
export async function prepareBrowserProgram(
  parent: string,
  named = getNamed(),
): Promise<BrowserProgram | null> {
  const program = findChromium(named);
  if (program !== null) return { program, env: {} };
  return mayUsePackaged(named) ? await preparePackagedChromium(parent) : null;
}

/** An operator who names a browser wants no other. */
function mayUsePackaged(named: string): boolean {
  return named === '' && hasPackagedChromium();
}

/** Finds this machine's browser: CHROMIUM_PATH, or a usual location. Null if there is none. */
export function findChromium(named = getNamed()): string | null {
  if (named !== '') return isProgram(named) ? named : null;
  const folders = [...FOLDERS, ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  return candidates.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function getNamed(): string {
  return process.env.CHROMIUM_PATH?.trim() ?? '';
}

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromRoot } from '../../kit/from-root';

const MANIFEST = 'node_modules/@sparticuz/chromium/package.json';
const SCRIPT = 'server/platform/ports/unpack-chromium.mjs';
/** A slow machine takes half a minute. */
const LIMIT_MS = 300_000;

/** A browser that can be started. */
export interface BrowserProgram {
  program: string;
  /** Where its libraries and fonts are. */
  env: Record<string, string>;
}

/** Whether the package with a browser is installed; it is optional, and for one platform. */
export function hasPackagedChromium(): boolean {
  return process.platform === 'linux' && process.arch === 'x64' && existsSync(fromRoot(MANIFEST));
}

/**
 * Where the packaged browser is once it is unpacked.
 * @param parent the folder that holds it, in a folder named after its version
 */
export function locatePackagedChromium(parent: string): BrowserProgram & { folder: string } {
  const [, version = ''] = /"version": *"([^"]+)"/.exec(readFileSync(fromRoot(MANIFEST), 'utf8')) ?? [];
  const folder = join(/* turbopackIgnore: true */ parent, `chromium-${version}`);
  return {
    folder,
    program: join(/* turbopackIgnore: true */ folder, 'chromium'),
    // Built for Amazon Linux: it includes libraries that a slim system lacks.
    env: {
      LD_LIBRARY_PATH: join(/* turbopackIgnore: true */ folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(/* turbopackIgnore: true */ folder, 'gateway-fonts.conf'),
    },
  };
}

/** The program that unpacks it, with its arguments; does nothing twice. */
export function buildUnpackCommand(folder: string): [program: string, args: string[]] {
  return [process.execPath, [fromRoot(SCRIPT), folder]];
}

const unpacking = new Map<string, Promise<unknown>>();

/**
 * The packaged browser, unpacked on its first use; callers at the same time share the work.
 * @throws Error if there is no space for it
 */
export async function preparePackagedChromium(parent: string): Promise<BrowserProgram> {
  const { folder, program, env } = locatePackagedChromium(parent);
  if (existsSync(program)) return { program, env };
  const begun = unpacking.get(folder) ?? unpack(folder);
  unpacking.set(folder, begun);
  await begun.finally(() => unpacking.delete(folder));
  return { program, env };
}

async function unpack(folder: string): Promise<void> {
  const [program, args] = buildUnpackCommand(folder);
  const { PATH = '' } = process.env;
  await promisify(execFile)(program, args, { env: { NODE_ENV: 'production', PATH }, timeout: LIMIT_MS });
}

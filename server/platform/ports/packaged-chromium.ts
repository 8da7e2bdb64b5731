import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromRoot } from '../../kit/from-root';

const MANIFEST = 'server/platform/ports/chromium/package.json';
const SCRIPT = 'server/platform/ports/unpack-chromium.mjs';
/** 70 MB over a slow network. */
const LIMIT_MS = 600_000;
/** A machine without the network does not ask for it at each call. */
const RETRY_AFTER_MS = 60_000;
/** What npm needs: its registry, proxies and certificates. Nothing else of ours is passed on. */
const NPM_VARIABLES = /^(path|home|npm_config_.*|https?_proxy|no_proxy|node_extra_ca_certs)$/i;

/** A browser that can be started. */
export interface BrowserProgram {
  program: string;
  /** Where its libraries and fonts are. */
  env: Record<string, string>;
}

/** Whether npm has a browser for this machine. */
export function hasPackagedChromium(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Where the packaged browser is once it is installed.
 * @param parent the folder that holds it, in a folder named after its version
 */
export function locatePackagedChromium(parent: string): BrowserProgram & { folder: string } {
  const [, version = ''] =
    /"@sparticuz.chromium": *"([^"]+)"/.exec(readFileSync(fromRoot(MANIFEST), 'utf8')) ?? [];
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

/** The program that installs it, with its arguments. */
export function buildUnpackCommand(folder: string): [program: string, args: string[]] {
  return [process.execPath, [fromRoot(SCRIPT), folder]];
}

const unpacking = new Map<string, Promise<unknown>>();

/**
 * The packaged browser, installed on its first use; callers at the same time share the work.
 * @throws Error if there is no network or no space for it
 */
export async function preparePackagedChromium(parent: string): Promise<BrowserProgram> {
  const { folder, program, env } = locatePackagedChromium(parent);
  if (existsSync(program)) return { program, env };
  const started = unpacking.get(folder) ?? unpack(folder);
  unpacking.set(folder, started);
  await started.then(
    () => unpacking.delete(folder),
    (error) => {
      setTimeout(() => unpacking.delete(folder), RETRY_AFTER_MS).unref();
      throw error;
    },
  );
  return { program, env };
}

async function unpack(folder: string): Promise<void> {
  const [program, args] = buildUnpackCommand(folder);
  const passed = Object.entries(process.env).filter(([name]) => NPM_VARIABLES.test(name));
  const env = { ...Object.fromEntries(passed), NODE_ENV: 'production' } as const;
  await promisify(execFile)(program, args, { env, timeout: LIMIT_MS });
}

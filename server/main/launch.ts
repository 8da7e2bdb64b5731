import { parseArgs } from 'node:util';
import { getSettingsFolder } from '../kit/settings-folder.mjs';
import { BootError } from '../platform/process/boot-error';
import { webConcurrency } from '../platform/settings/setting-schemas';
import { readSettings } from '../platform/settings/settings';
import { loadEnvFile } from './boot/boot';
import { formatStartError } from './boot/format-start-error';
import { startHeartbeat } from './boot/report-ready';
import type { ServeOptions } from './boot/serve';

interface LaunchOptions extends Omit<ServeOptions, 'membership'> {
  /** The arguments after the program. */
  args: readonly string[];
}

/**
 * Starts the gateway in the role that the arguments and settings give to this process: the only web
 * process, the primary of several, or one of them. Never throws: a failed start prints and exits 1.
 */
export async function launch({ args, ...options }: LaunchOptions): Promise<void> {
  try {
    if (args.includes('--web-process')) {
      const { joinPrimary } = await import('./cluster/web-process');
      return await startWebProcess({ ...options, membership: joinPrimary() });
    }
    startHeartbeat();
    const count = resolveProcessCount(args, process.env, options);
    if (count === 1) return await startWebProcess({ ...options, membership: null });
    const { runPrimary } = await import('./cluster/run-primary');
    await runPrimary({ ...options, count });
  } catch (error) {
    process.stderr.write(`\n${formatStartError(error)}\n\n`);
    process.exit(1);
  }
}

/** Imported here, because the primary of several web processes must stay small. */
async function startWebProcess(options: ServeOptions): Promise<void> {
  const { serve } = await import('./boot/serve');
  await serve(options);
}

/**
 * Returns how many web processes to run: `--processes N`, or else WEB_CONCURRENCY.
 * @throws BootError, SettingsError
 */
export function resolveProcessCount(
  args: readonly string[],
  env: NodeJS.Dict<string>,
  { root, dev }: Pick<ServeOptions, 'root' | 'dev'>,
): number {
  const { processes } = parseArgs({
    args: [...args],
    options: { processes: { type: 'string' } },
    strict: false,
  }).values;
  if (processes !== undefined) {
    const given = typeof processes === 'string' ? processes : '';
    const parsed = webConcurrency.safeParse(given);
    if (!parsed.success)
      throw new BootError(`--processes ${parsed.error.issues[0]?.message} (it is ${JSON.stringify(given)}).`);
    if (dev && parsed.data > 1)
      throw new BootError('--processes is for a built gateway: use npm start, or leave it out with --dev.');
    return parsed.data;
  }
  const all = { ...env };
  loadEnvFile(all, getSettingsFolder(root));
  const count = readSettings(all).webConcurrency;
  if (!dev || count === 1) return count;
  process.stderr.write(`\n  WEB_CONCURRENCY is ${count}: development runs one web process all the same.\n`);
  return 1;
}

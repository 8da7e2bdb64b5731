import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Terminal } from './terminal.js';
import { usageError } from './usage-error.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
/** Provisioning a key takes far less, so an older lock belongs to a process that died. */
const LOCK_STALE_MS = 30_000;
const LOCK_PAUSE_MS = 50;
/** Windows has no file modes; the user's profile folder protects the file there. */
const HAS_MODES = process.platform !== 'win32';

/** The saved key of one gateway. */
export interface StoredKey {
  api_key: string;
  /** For a provisioned key: where a person claims it. */
  claim_url?: string;
  saved_at: string;
}

interface StoredKeys {
  /** The default gateway. */
  base_url?: string;
  /** By base URL. */
  keys: Record<string, StoredKey>;
}

/**
 * `credentials.json` in `$XDG_CONFIG_HOME/tool-gateway` or `~/.config/tool-gateway`, with one key
 * per gateway. The folder has mode 0700, the file 0600. Writes replace the file atomically.
 */
export class KeyFile {
  readonly folder: string;
  readonly path: string;
  readonly #warn: (message: string) => void;

  constructor({ env, home }: Pick<Terminal, 'env' | 'home'>, warn: (message: string) => void) {
    // The XDG specification says to ignore a path that is not absolute.
    const xdg = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : undefined;
    const base = xdg ?? (HAS_MODES ? undefined : env.APPDATA) ?? join(home, '.config');
    this.folder = join(base, 'tool-gateway');
    this.path = join(this.folder, 'credentials.json');
    this.#warn = warn;
  }

  /** @throws GatewayError USAGE when the file belongs to another user or is invalid */
  async read(): Promise<StoredKeys> {
    let text: string;
    try {
      await this.#restrictAccess();
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return { keys: {} };
      throw error;
    }
    try {
      const kept: unknown = JSON.parse(text);
      if (isStoredKeys(kept)) return kept;
    } catch {
      // Invalid JSON is reported below, like JSON of the wrong shape.
    }
    throw usageError(`${this.path} is damaged.`, 'Delete it, then run tool-gateway login or provision.');
  }

  /** Edits the file under a lock, so that concurrent edits run one after another. */
  async change(edit: (kept: StoredKeys) => StoredKeys | Promise<StoredKeys>): Promise<StoredKeys> {
    await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE });
    // The folder may already exist with another mode.
    await chmod(this.folder, FOLDER_MODE);
    const release = await this.#lock();
    try {
      const kept = await edit(await this.read());
      await this.#write(`${JSON.stringify(kept, null, 2)}\n`);
      return kept;
    } finally {
      await release();
    }
  }

  async #write(text: string): Promise<void> {
    const temporaryPath = `${this.path}.${randomBytes(6).toString('hex')}`;
    const file = await open(temporaryPath, 'wx', FILE_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, this.path);
  }

  async #restrictAccess(): Promise<void> {
    if (!HAS_MODES) return;
    const { mode, uid } = await stat(this.path);
    if (uid !== process.getuid?.() && process.getuid?.() !== 0)
      throw usageError(
        `${this.path} belongs to another user.`,
        'Delete it, then run tool-gateway login or provision.',
      );
    if ((mode & OTHERS) === 0) return;
    await chmod(this.path, FILE_MODE);
    this.#warn(
      `${this.path} could be read by other users; its mode is now 600. If others use this machine, revoke its keys.`,
    );
  }

  async #lock(): Promise<() => Promise<void>> {
    const path = `${this.path}.lock`;
    for (;;) {
      try {
        await (await open(path, 'wx', FILE_MODE)).close();
        return () => rm(path, { force: true });
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > LOCK_STALE_MS) await rm(path, { force: true });
      else await wait(LOCK_PAUSE_MS);
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function isStoredKeys(kept: unknown): kept is StoredKeys {
  if (typeof kept !== 'object' || kept === null || !('keys' in kept)) return false;
  const { keys } = kept;
  return (
    typeof keys === 'object' &&
    keys !== null &&
    Object.values(keys).every((key: unknown) => typeof (key as StoredKey | null)?.api_key === 'string')
  );
}

// Runs an image like a container: as another user, on read-only files, with an external PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../fixtures/free-port';
import { reapLater } from '../fixtures/processes';
import type { Image } from './build-image';

const START_MS = 120_000;
const POLL_MS = 100;

export interface RunningImage {
  baseUrl: string;
  env: Record<string, string>;
  child: ChildProcess;
  log(): string;
}

/** Starts the command of the image with production settings. */
export async function runImage(image: Image, scratch: string, databaseUrl: string): Promise<RunningImage> {
  const env = createEnvironment(image, scratch, databaseUrl, await findFreePort());
  const [program = '', ...args] = image.command;
  const asImageUser = process.getuid?.() === 0 && image.user !== null;
  const child = reapLater(
    spawn(program === 'node' ? process.execPath : program, args, {
      cwd: join(image.folder, image.workdir),
      env: { ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(asImageUser && image.user !== null ? { uid: image.user, gid: image.user } : {}),
    }),
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  return { baseUrl: `http://127.0.0.1:${env.PORT}`, env, child, log: () => output };
}

function createEnvironment(
  image: Image,
  scratch: string,
  databaseUrl: string,
  port: number,
): Record<string, string> {
  const temporary = join(scratch, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o777);
  const createSecret = () => randomBytes(32).toString('base64');
  return {
    PATH: String(process.env.PATH),
    ...image.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: join(image.folder, String(image.env.DATA_DIR)),
    ASSETS_DIR: join(image.folder, String(image.env.ASSETS_DIR)),
    TMPDIR: temporary,
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: createSecret(),
    VAULT_KEY: createSecret(),
    CLAIM_SECRET: createSecret(),
    SMTP_URL: 'smtp://127.0.0.1:9',
    OPERATOR_EMAIL: 'operator@example.test',
  };
}

/** Waits until /healthz responds. @throws with the log when it exits or does not respond */
export async function waitUntilHealthy({ baseUrl, child, log }: RunningImage): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end && child.exitCode === null) {
    const answer = await fetch(`${baseUrl}/healthz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(POLL_MS);
  }
  throw new Error(`/healthz does not respond:\n${log().slice(-1_500)}`);
}

/** Runs the HEALTHCHECK of the image and returns its exit code. */
export async function checkHealth(image: Image, { env }: RunningImage): Promise<number | null> {
  const [, ...args] = image.health;
  const child = reapLater(
    spawn(process.execPath, args, { env: { ...env, NODE_ENV: 'production' }, stdio: 'ignore' }),
  );
  return await new Promise((resolve) => child.once('close', resolve));
}

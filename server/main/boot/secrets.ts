import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { BootError } from '../../platform/process/boot-error';
import { readPrivateFile, writePrivateFile } from '../../platform/process/private-file';
import type { Settings } from '../../platform/settings/settings';

const SECRET_BYTES = 32;
const FILE = 'secrets.json';

const secretsSchema = z.object({
  authSecret: z.string().min(32),
  vaultKey: z.string().min(32),
  claimSecret: z.string().min(32),
});

/** Secrets for signing, encryption and derivation. */
export type Secrets = z.output<typeof secretsSchema>;

/**
 * Loads the secrets from the settings, or else from the data folder, where the first start
 * generates them. Production requires them in the settings.
 * @param options.generate false for a process that needs the secrets of another one
 * @throws BootError if the file is damaged, or missing with `generate: false`. New secrets would
 *   make stored credentials unreadable.
 */
export async function loadSecrets(settings: Settings, { generate = true } = {}): Promise<Secrets> {
  const { authSecret, vaultKey, claimSecret } = settings;
  if (authSecret && vaultKey && claimSecret) return { authSecret, vaultKey, claimSecret };
  const kept = await readOrGenerate(join(settings.dataDir, FILE), generate);
  return {
    authSecret: authSecret ?? kept.authSecret,
    vaultKey: vaultKey ?? kept.vaultKey,
    claimSecret: claimSecret ?? kept.claimSecret,
  };
}

async function readOrGenerate(path: string, generate: boolean): Promise<Secrets> {
  const text = await readPrivateFile(path);
  if (text !== null) return parseSecrets(text, path);
  if (!generate)
    throw new BootError(
      'The secrets of the gateway are missing: set AUTH_SECRET, VAULT_KEY and CLAIM_SECRET to its values, ' +
        'or DATA_DIR to its data folder.',
    );
  const generated = { authSecret: newSecret(), vaultKey: newSecret(), claimSecret: newSecret() };
  await writePrivateFile(path, `${JSON.stringify(generated, null, 2)}\n`);
  return generated;
}

function parseSecrets(text: string, path: string): Secrets {
  try {
    return secretsSchema.parse(JSON.parse(text));
  } catch (cause) {
    const fix = 'restore it from a backup; without it, stored provider credentials cannot be read';
    throw new BootError(`The secrets in ${path} are damaged: ${fix}.`, { cause });
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64');
}

import { writeAudit } from '../../core/audit/audit';
import { operatorName } from '../../core/trpc/actor';
import { getVaultStatus, rotateVault, type VaultKeyStatus } from '../vault/rotate-vault';
import type { Command, CommandContext, CommandResult } from './command';

export const vaultCommands: Command[] = [
  {
    name: 'vault status',
    about:
      'Lists the vault keys with the number of provider and signing keys sealed by each; exits 1 if a key is missing.',
    flags: {},
    run: showStatus,
  },
  {
    name: 'vault rotate',
    about:
      'Reseals every provider and signing key that an old vault key (VAULT_KEYS_OLD) has sealed; exits 1 if one cannot be opened.',
    flags: {},
    run: rotate,
  },
  {
    name: 'receipts rotate',
    about:
      'Creates a new key that signs receipts and deletes the private part of the others. Their receipts can still be verified.',
    flags: {},
    run: replaceReceiptKey,
  },
];

/** What the values of a vault key are. */
const VALUES = {
  saved: 'saved',
  queued: 'in queued calls',
  signing: 'signing',
  webhooks: 'of webhooks',
  contents: 'contents of calls',
  messages: 'error messages of calls',
  factors: 'of second factors',
} as const satisfies Partial<Record<keyof VaultKeyStatus, string>>;
const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];

async function showStatus({ runtime }: CommandContext): Promise<CommandResult> {
  const keys = await getVaultStatus(runtime);
  const needed = keys.filter((key) => !key.present && NAMES.some((name) => key[name] > 0));
  return {
    lines: [
      ...keys.map((key) => {
        const role = key.current ? 'seals' : key.present ? 'opens' : 'MISSING';
        return `${key.id.padEnd(16)} ${role.padEnd(8)} ${NAMES.map((name) => `${key[name]} ${VALUES[name]}`).join(', ')}`;
      }),
      ...needed.map(({ id }) => `MISSING  Add the key "${id}" to VAULT_KEYS_OLD, as ${id}:<key>.`),
    ],
    json: { ok: needed.length === 0, keys },
    failed: needed.length > 0,
  };
}

async function rotate({ runtime, operator }: CommandContext): Promise<CommandResult> {
  const { resealed, missing, broken } = await rotateVault(runtime);
  const { keyId } = runtime.ports.vault;
  const left = Object.values(missing).reduce((sum, count) => sum + count, 0);
  await writeAudit(runtime.db, {
    actor: operatorName(operator),
    action: 'vault.rotate',
    details: { vault_key: keyId, resealed, missing: left, broken: broken.length },
  });
  const ok = left + broken.length === 0;
  return {
    lines: [
      `${resealed} values resealed with "${keyId}".`,
      ...Object.entries(missing).map(
        ([id, count]) =>
          `MISSING  ${count} are sealed with the key "${id}": add it to VAULT_KEYS_OLD and try again.`,
      ),
      ...broken.map((id) => `BROKEN   ${id} cannot be opened: its owner must save the key again.`),
      ...(ok ? ['No value needs an old key any more: you can empty VAULT_KEYS_OLD.'] : []),
    ],
    json: { ok, resealed, missing, broken },
    failed: !ok,
  };
}

async function replaceReceiptKey({ runtime, operator }: CommandContext): Promise<CommandResult> {
  const { kid, retired } = await runtime.receiptSigner.replaceKey();
  await writeAudit(runtime.db, {
    actor: operatorName(operator),
    action: 'receipts.rotate',
    details: { kid, retired },
  });
  return {
    lines: [`Receipts are signed with ${kid} within a minute; ${retired} keys were retired.`],
    json: { ok: true, kid, retired },
    failed: false,
  };
}

import { writeAudit } from '../../core/audit/audit';
import { operatorName } from '../../core/trpc/actor';
import { rotateVault, vaultStatus } from '../vault/rotate-vault';
import type { Command, CommandContext, CommandResult } from './command';

export const vaultCommands: Command[] = [
  {
    name: 'vault status',
    about:
      'Which vault keys there are and how many provider keys are sealed under each; exits 1 where a key is missing.',
    flags: {},
    run: showStatus,
  },
  {
    name: 'vault rotate',
    about:
      'Seals every provider key anew that an earlier vault key (VAULT_KEYS_OLD) has sealed; exits 1 where one cannot be opened.',
    flags: {},
    run: rotate,
  },
];

async function showStatus({ runtime }: CommandContext): Promise<CommandResult> {
  const keys = await vaultStatus(runtime);
  const needed = keys.filter(({ present, saved, queued }) => !present && saved + queued > 0);
  return {
    lines: [
      ...keys.map(({ id, present, current, saved, queued }) => {
        const role = current ? 'seals' : present ? 'opens' : 'MISSING';
        return `${id.padEnd(16)} ${role.padEnd(8)} ${saved} saved, ${queued} in queued calls`;
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
      `${resealed} provider keys sealed anew with "${keyId}".`,
      ...Object.entries(missing).map(
        ([id, count]) =>
          `MISSING  ${count} are sealed with the key "${id}": add it to VAULT_KEYS_OLD and try again.`,
      ),
      ...broken.map((id) => `BROKEN   ${id} does not open: its owner has to save the key again.`),
      ...(ok ? ['No value needs an earlier key any more: VAULT_KEYS_OLD may be emptied.'] : []),
    ],
    json: { ok, resealed, missing, broken },
    failed: !ok,
  };
}

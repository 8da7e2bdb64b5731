import type { Runtime } from '../../core/runtime';
import { getCredentialContext, type ToolCredential } from './imported';

/** Seals the platform's value of a credential, under its next version. */
export function sealToolCredential(
  { ports: { vault } }: Pick<Runtime, 'ports'>,
  slot: ToolCredential,
  value: string,
): Pick<ToolCredential, 'sealed' | 'vaultKeyId' | 'version'> {
  const version = slot.version + 1;
  return {
    sealed: vault.seal(value, getCredentialContext({ ...slot, version })),
    vaultKeyId: vault.keyId,
    version,
  };
}

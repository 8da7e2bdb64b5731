import { markUsed } from '../catalog/credentials/mark-used';
import { SkillError } from '../core/errors/skill-error';
import type { Runtime } from '../core/runtime';
import { createProviderClient } from '../tools/sdk/provider-client';
import type { ProviderClient } from '../tools/sdk/skill-context';
import type { OpenedCall } from './open-call';

/**
 * The client of the provider that this call goes through, with the credential that was chosen when it was opened. There is
 * no other to fall back to: what the provider says to this one is the answer.
 * @param onOwnKey told when a request goes out with the client's own key
 * @throws SkillError where the call needs none
 */
export function createCallProvider(
  runtime: Runtime,
  { credential, keyId, accountId, tool }: Pick<OpenedCall, 'credential' | 'keyId' | 'accountId' | 'tool'>,
  onOwnKey: () => void,
): ProviderClient {
  if (!credential) throw new SkillError('This skill uses no provider.');
  const { slot, source, isOwn } = credential;
  const { provider, baseUrl } = runtime.slots.get(slot);
  let used = false;
  return createProviderClient({
    slot,
    authorize: provider.authorize,
    baseUrl,
    key: credential.reveal(),
    isOwn,
    tenant: isOwn ? undefined : accountId,
    fetch: tool.outbound ?? runtime.ports.outbound,
    onUse() {
      if (isOwn) onOwnKey();
      if (source === 'saved' && !used) markUsed(runtime, keyId, slot);
      used = true;
    },
  });
}

import { SkillError } from '../../core/errors/skill-error';
import type { Runtime } from '../../core/runtime';
import { createProviderClient } from '../../tools/sdk/provider-client';
import type { ProviderClient } from '../../tools/sdk/skill-context';
import type { PreparedCall } from '../prepare/prepare-call';

/**
 * Creates the provider client of a call, using the credential chosen when the call was opened.
 * There is no fallback to another credential: the response of the provider is final.
 * @param onOwnKey called when a request is sent with the caller's own key (BYOK)
 * @throws SkillError if the call uses no provider
 */
export function createCallProvider(
  runtime: Pick<Runtime, 'credentials' | 'ports' | 'slots'>,
  { credential, keyId, accountId, tool }: Pick<PreparedCall, 'credential' | 'keyId' | 'accountId' | 'tool'>,
  onOwnKey: () => void,
): ProviderClient {
  if (!credential) throw new SkillError('This skill uses no provider.');
  const { slot, source, isByok } = credential;
  const { provider, baseUrl } = runtime.slots.get(slot);
  let used = false;
  return createProviderClient({
    slot,
    authorize: provider.authorize,
    baseUrl,
    key: credential.reveal(),
    isByok: isByok,
    tenant: isByok ? undefined : accountId,
    fetch: tool.outbound ?? runtime.ports.outbound,
    onUse() {
      if (isByok) onOwnKey();
      if (source === 'saved' && !used) runtime.credentials.markUsed(keyId, slot);
      used = true;
    },
  });
}

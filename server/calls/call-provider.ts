import type { Runtime } from '../runtime';
import { SkillError } from '../tools/define-tool';
import type { ProviderClient } from '../tools/skill-context';
import type { OpenedCall } from './open-call';

/**
 * The client of the provider that this call goes through.
 * @param onOwnKey told when a request goes out with the client's own key
 */
export function createCallProvider(
  _runtime: Runtime,
  _call: OpenedCall,
  _onOwnKey: () => void,
): ProviderClient {
  throw new SkillError('This skill uses no provider.');
}

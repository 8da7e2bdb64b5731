import type { Session } from './session.js';
import { usageError } from './usage-error.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Reads the provider keys for `--provider-key` from the environment.
 * `name=key` on the command line works too, with a warning.
 * @throws GatewayError USAGE when a key is missing; its message never contains a key
 */
export function readProviderKeys(session: Session, given: readonly string[]): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const text of given) {
    const [name = ''] = text.split('=', 1);
    if (!NAME.test(name))
      throw usageError('--provider-key needs the name of a provider.', 'For example: --provider-key openai.');
    const typed = text.length > name.length ? text.slice(name.length + 1) : undefined;
    if (typed !== undefined)
      session.output.note(
        `Other users of this machine can read keys on the command line. Set ${getVariableNames(name)[0]} and use --provider-key ${name}.`,
      );
    keys[name] = typed || readFromEnvironment(session, name);
  }
  return keys;
}

function readFromEnvironment({ terminal }: Session, name: string): string {
  for (const variable of getVariableNames(name)) {
    const key = terminal.env[variable]?.trim();
    if (key) return key;
  }
  throw usageError(`No key for ${name} is set.`, `Set ${getVariableNames(name).join(' or ')}.`);
}

function getVariableNames(name: string): [string, string] {
  const upper = name.toUpperCase().replaceAll('-', '_');
  return [`TOOL_GATEWAY_PROVIDER_KEY_${upper}`, `${upper}_API_KEY`];
}

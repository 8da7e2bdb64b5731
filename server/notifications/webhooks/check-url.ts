import { GatewayError } from '../../core/errors/gateway-error';
import { isSkillError } from '../../core/errors/skill-error';
import type { Runtime } from '../../core/runtime';

/**
 * Checks a URL for webhooks, and writes it as it is sent: without a fragment.
 * @param path the field that has it
 * @throws GatewayError INVALID_INPUT
 */
export function checkWebhookUrl({ ports }: Pick<Runtime, 'ports'>, value: string, path = 'url'): string {
  if (!URL.canParse(value)) throw invalidUrl(path, 'Must be a URL, such as https://example.com/hooks.');
  const url = new URL(value);
  url.hash = '';
  try {
    ports.checkWebhookUrl(url);
  } catch (error) {
    if (isSkillError(error)) throw invalidUrl(path, error.message);
    throw error;
  }
  return url.href;
}

function invalidUrl(path: string, message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: `${path}: ${message}`,
    hint: 'Use an https URL on the public internet. Locally, the operator allows a host with OUTBOUND_ALLOW.',
    details: { fields: [{ path, message }] },
  });
}

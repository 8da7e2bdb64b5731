import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { findValueProblem } from '../credentials/credential-value';
import { getImported } from './check-tool';
import { sealToolCredential } from './seal-tool-credential';
import { findImported, notifyOthers, updateImported, updateToolCredential } from './store';

const KEY_PATTERN = /^[\x21-\x7e]{8,512}$/;

/**
 * Saves the platform's credential of a tool, sealed; null removes it. It is never shown again.
 * @param actor as the audit log names them
 * @throws GatewayError NOT_FOUND, INVALID_INPUT
 */
export async function saveToolSecret(
  runtime: Pick<Runtime, 'db' | 'imports' | 'ports'>,
  actor: string,
  { name, slot: slotName, value }: { name: string; slot: string; value: string | null },
): Promise<void> {
  const { slots } = await getImported(runtime, name);
  if (!slots.some(({ slot }) => slot === slotName)) {
    const known = slots.map(({ slot }) => slot).join(', ');
    throw new GatewayError('NOT_FOUND', {
      message: known
        ? `${name} has no credential ${slotName}; it has: ${known}.`
        : `${name} takes no credential.`,
    });
  }
  await runtime.db.transaction(async (tx) => {
    const tool = await findImported(tx, name, { lock: true });
    const slot = tool?.slots.find((one) => one.slot === slotName);
    if (!slot) return;
    const problem = value === null ? null : findValueProblem({ ...slot, keyPattern: KEY_PATTERN }, value);
    if (problem !== null) throw new GatewayError('INVALID_INPUT', { message: `The credential: ${problem}` });
    const empty = { sealed: null, vaultKeyId: null, version: slot.version + 1 };
    await updateToolCredential(tx, slot, value === null ? empty : sealToolCredential(runtime, slot, value));
    await updateImported(tx, name, {});
    const action = value === null ? 'tool.secret.remove' : 'tool.secret.save';
    await writeAudit(tx, { actor, action, target: name, details: { slot: slotName } });
    await notifyOthers(tx);
  });
  await runtime.imports.refresh();
}

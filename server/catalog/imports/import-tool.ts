import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { ImportPlan } from './plan-import';
import { sealToolCredential } from './seal-tool-credential';
import { insertImported, insertToolCredential, notifyOthers, replaceSkillPrices } from './store';

/**
 * Stores a planned import, which makes the tool available in all processes.
 * @param actor as the audit log names them
 * @throws GatewayError INVALID_INPUT if the name of the tool or its credential was taken
 *   concurrently
 */
export async function importTool(
  runtime: Pick<Runtime, 'db' | 'imports' | 'ports'>,
  actor: string,
  { tool, value }: ImportPlan,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const slots = tool.slots.map((slot) =>
      value === null ? slot : { ...slot, ...sealToolCredential(runtime, slot, value) },
    );
    if (!(await insertImported(tx, tool))) throw nameTaken(`A tool named ${tool.name} already exists.`);
    await replaceSkillPrices(tx, tool.name, tool.skillPrices);
    for (const slot of slots)
      if (!(await insertToolCredential(tx, slot)))
        throw nameTaken(`A credential named ${slot.slot} already exists.`);
    await writeAudit(tx, {
      actor,
      action: 'tool.import',
      target: tool.name,
      details: { kind: tool.source.kind, skills: tool.definition.skills.length, hash: tool.definitionHash },
    });
    await notifyOthers(tx);
  });
  await runtime.imports.refresh();
}

function nameTaken(message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', { message });
}

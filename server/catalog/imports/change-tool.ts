import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { getImported } from './check-tool';
import type { ImportedTool, Presentation } from './imported';
import type { ImportedPrice } from './imported-price';
import { rejectUnknownPatterns } from './plan-import';
import { findImported, notifyOthers, replaceSkillPrices, updateImported } from './store';

/** Changes by the operator; omitted fields stay. */
export interface ToolChange {
  price?: Partial<ImportedPrice>;
  /** By skill; unlisted skills stay. */
  skillPrices?: Readonly<Record<string, Partial<ImportedPrice>>>;
  shown?: Partial<
    Pick<
      Presentation,
      'displayName' | 'subtitle' | 'description' | 'categories' | 'readOnly' | 'estimatedSeconds'
    >
  >;
  disabled?: boolean;
}

/**
 * Changes a tool's presentation or prices, or disables or enables it. Open calls keep their price.
 * @param actor as the audit log names them
 * @throws GatewayError NOT_FOUND; INVALID_INPUT for an unknown skill
 */
export async function changeTool(
  runtime: Pick<Runtime, 'db' | 'imports'>,
  actor: string | AuditActor,
  name: string,
  change: ToolChange,
): Promise<ImportedTool> {
  await runtime.db.transaction(async (tx) => {
    const tool = await findImported(tx, name, { lock: true });
    if (!tool) {
      await getImported(runtime, name);
      return;
    }
    const { presentation, price } = tool;
    const skillPrices = { ...tool.skillPrices };
    for (const [skill, wanted] of Object.entries(change.skillPrices ?? {})) {
      if (!Object.values(presentation.names).includes(skill))
        throw new GatewayError('INVALID_INPUT', {
          message: `${name} has no skill ${skill}: see tools show ${name}.`,
        });
      skillPrices[skill] = { ...price, ...tool.skillPrices[skill], ...wanted };
    }
    rejectUnknownPatterns(change.shown?.readOnly ?? [], tool.definition.skills);
    await replaceSkillPrices(tx, name, skillPrices);
    await updateImported(tx, name, {
      presentation: { ...presentation, ...change.shown },
      ...price,
      ...change.price,
      ...(change.disabled !== undefined && {
        disabledAt: change.disabled ? (tool.disabledAt ?? new Date()) : null,
      }),
    });
    const changed = [
      ...Object.keys(change.shown ?? {}),
      ...Object.keys(change.price ?? {}),
      ...Object.keys(change.skillPrices ?? {}),
    ];
    const action =
      change.disabled === undefined ? 'tool.set' : change.disabled ? 'tool.disable' : 'tool.enable';
    await writeAudit(tx, { actor, action, target: name, details: { changed: changed.join(', ') } });
    await notifyOthers(tx);
  });
  await runtime.imports.refresh();
  return await getImported(runtime, name);
}

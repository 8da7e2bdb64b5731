import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { forgetProviderCredentials } from '../credentials/forget-credentials';
import { getImported } from './check-tool';
import { deleteImported, findImported, notifyOthers } from './store';

/**
 * Removes a tool. Its calls stay in the history. Saved keys of its callers are deleted too: a later
 * tool of the same name must not receive them.
 * @param actor as the audit log names them
 * @returns how many saved keys were deleted
 * @throws GatewayError NOT_FOUND
 */
export async function removeTool(
  runtime: Pick<Runtime, 'db' | 'imports'>,
  actor: string,
  name: string,
): Promise<number> {
  await getImported(runtime, name);
  const forgotten = await runtime.db.transaction(async (tx) => {
    const tool = await findImported(tx, name, { lock: true });
    let count = 0;
    for (const { slot } of tool?.slots ?? []) count += await forgetProviderCredentials(tx, slot);
    await deleteImported(tx, name);
    await writeAudit(tx, { actor, action: 'tool.remove', target: name, details: { credentials: count } });
    await notifyOthers(tx);
    return count;
  });
  await runtime.imports.refresh();
  return forgotten;
}

import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { getImported } from './check-tool';
import { MAX_SKILLS } from './choose-skills';
import { compareDefinitions, type Difference, definitionHash } from './definition';
import { nameSkills } from './skill-names';
import { findImported, notifyOthers, replaceSkillPrices, updateImported } from './store';

/**
 * Makes the definition that the last check found the approved one. Skills keep their names; the
 * prices of removed skills are deleted.
 * @param hash of the definition that the operator reviewed; if it has changed since, nothing is
 *   approved
 * @throws GatewayError NOT_FOUND; INVALID_INPUT if there is nothing to approve
 */
export async function approveTool(
  runtime: Pick<Runtime, 'db' | 'imports'>,
  actor: string | AuditActor,
  name: string,
  hash: string | null,
): Promise<Difference[]> {
  const differences = await runtime.db.transaction(async (tx) => {
    const tool = await findImported(tx, name, { lock: true });
    if (!tool) return await getImported(runtime, name).then(() => []);
    const { pendingDefinition: pending, definition, presentation } = tool;
    if (!pending)
      throw refused(
        `${name} matches its approved definition: there is nothing to approve. Check its source again with tools check ${name}.`,
      );
    const pendingHash = definitionHash(pending);
    if (hash !== null && hash !== pendingHash)
      throw refused(
        `${name} has changed again since you reviewed it: see tools diff ${name}, then approve it.`,
      );
    if (pending.skills.length === 0)
      throw refused(`${name} has no skills left at its source: remove it with tools remove ${name}.`);
    if (pending.skills.length > MAX_SKILLS)
      throw refused(
        `${name} now has ${pending.skills.length} skills, but a tool can have at most ${MAX_SKILLS}: import it again with --include.`,
      );
    const upstreams = pending.skills.map(({ upstream }) => upstream);
    const names = Object.fromEntries(
      nameSkills(upstreams, new Map(Object.entries(presentation.names)), new Map()),
    );
    const remaining = new Set(Object.values(names));
    const skillPrices = Object.fromEntries(
      Object.entries(tool.skillPrices).filter(([skill]) => remaining.has(skill)),
    );
    await replaceSkillPrices(tx, name, skillPrices);
    await updateImported(tx, name, {
      definition: pending,
      definitionHash: pendingHash,
      pendingDefinition: null,
      changedAt: null,
      presentation: { ...presentation, names },
    });
    const details = { was: tool.definitionHash, is: pendingHash, skills: pending.skills.length };
    await writeAudit(tx, { actor, action: 'tool.approve', target: name, details });
    await notifyOthers(tx);
    return compareDefinitions(definition, pending);
  });
  await runtime.imports.refresh();
  return differences;
}

function refused(message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', { message });
}

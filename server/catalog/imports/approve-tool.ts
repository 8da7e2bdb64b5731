import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { getImported } from './check-tool';
import { MAX_SKILLS } from './choose-skills';
import { type Difference, definitionHash, differencesOf } from './definition';
import { nameSkills } from './skill-names';
import { findImported, replaceSkillPrices, tellOthers, updateImported } from './store';

/**
 * Makes what the last look found the definition that is called from now on. Names of skills stay; prices of skills that
 * are gone go.
 * @param hash of what was looked at; where it is something else by now nothing is approved
 * @throws GatewayError NOT_FOUND, INVALID_INPUT where there is nothing to approve
 */
export async function approveTool(
  runtime: Runtime,
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
        `${name} is what was approved: there is nothing new. Look again with tools check ${name}.`,
      );
    const pendingHash = definitionHash(pending);
    if (hash !== null && hash !== pendingHash)
      throw refused(
        `${name} has changed again since it was shown: see tools diff ${name}, then approve that.`,
      );
    if (pending.skills.length === 0)
      throw refused(`${name} has no skill left at its source: remove it with tools remove ${name}.`);
    if (pending.skills.length > MAX_SKILLS)
      throw refused(
        `${name} has ${pending.skills.length} skills now, and a tool has at most ${MAX_SKILLS}: import it anew with --include.`,
      );
    const upstreams = pending.skills.map(({ upstream }) => upstream);
    const names = Object.fromEntries(
      nameSkills(upstreams, new Map(Object.entries(presentation.names)), new Map()),
    );
    const kept = new Set(Object.values(names));
    const skillPrices = Object.fromEntries(
      Object.entries(tool.skillPrices).filter(([skill]) => kept.has(skill)),
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
    await tellOthers(tx);
    return differencesOf(definition, pending);
  });
  await runtime.imports.refresh();
  return differences;
}

function refused(message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', { message });
}

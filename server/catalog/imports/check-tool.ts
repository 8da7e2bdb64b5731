import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { linkMail, oneLine } from '../../platform/email/link-mail';
import { chooseSkills, schemeOfSkills } from './choose-skills';
import {
  breaksCallers,
  type Difference,
  definitionHash,
  definitionOf,
  differencesOf,
  type LeftOut,
} from './definition';
import type { ImportedTool } from './imported';
import { openSlot } from './open-slot';
import { readSource } from './read-source';
import { type Change, findImported, markChecked, tellOthers, updateImported } from './store';

/** The result of checking a tool's upstream. */
export interface CheckResult {
  name: string;
  /** `news`: the upstream has added skills, which callers do not see until they are approved. */
  state: 'same' | 'news' | 'changed' | 'unreachable' | 'not checked';
  differences: Difference[];
  leftOut: LeftOut[];
  problem: string | null;
}

/**
 * Checks whether the upstream still matches the approved definition. If not, the tool stops in all
 * processes until the operator approves the change. A tool that cannot be reached stops until it
 * can.
 * @throws GatewayError NOT_FOUND
 */
export async function checkTool(runtime: Runtime, name: string): Promise<CheckResult> {
  const tool = await getImported(runtime, name);
  const nothing = { name, differences: [], leftOut: [], problem: null };
  if (tool.source.kind === 'openapi' && tool.source.url === null) {
    await markChecked(runtime.db, name);
    return { ...nothing, state: 'not checked' };
  }
  try {
    const seen = await lookTwice(runtime, tool);
    await record(runtime, tool, seen.change);
    return { ...nothing, ...seen.result };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const problem = 'Its upstream is unavailable at the moment.';
    runtime.log.warn('imported_tool.unreachable', { tool: name, error });
    await record(runtime, tool, { problem });
    return { ...nothing, state: 'unreachable', problem: error.message };
  }
}

/** @throws GatewayError NOT_FOUND */
export async function getImported({ db }: Pick<Runtime, 'db'>, name: string): Promise<ImportedTool> {
  const tool = await findImported(db, name);
  if (tool) return tool;
  throw new GatewayError('NOT_FOUND', {
    message: `There is no imported tool named ${name}. See tools list.`,
  });
}

/** Retries once, so that one network failure does not stop a working tool. */
async function lookTwice(runtime: Runtime, tool: ImportedTool) {
  try {
    return await look(runtime, tool);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    runtime.log.info('imported_tool.check_retried', { tool: tool.name, error });
    return await look(runtime, tool);
  }
}

async function look(runtime: Runtime, tool: ImportedTool) {
  const { name, source, allowPrivate, definition, presentation } = tool;
  const credentials = tool.slots.flatMap((slot) => {
    const value = openSlot(runtime, slot);
    return value === null ? [] : [{ carrier: slot.carrier, value }];
  });
  const reading = await readSource(runtime, source, { tool: name, allowPrivate, credentials });
  const pinned = new Set(definition.skills.map(({ upstream }) => upstream));
  const chosen = chooseSkills(reading, presentation, schemeOfSkills(definition.skills));
  // Approved skills are compared even if the filters would no longer choose them.
  const kept = reading.skills.filter(({ upstream }) => pinned.has(upstream));
  const added = chosen.skills.filter(({ upstream }) => !pinned.has(upstream));
  const now = definitionOf(source, [...kept, ...added]);
  const differences = differencesOf(definition, now);
  const changed = breaksCallers(differences);
  const state = changed
    ? ('changed' as const)
    : differences.length > 0
      ? ('news' as const)
      : ('same' as const);
  const change: Change = {
    problem: null,
    connection: reading.connection,
    pendingDefinition: state === 'same' ? null : now,
    changedAt: changed ? (tool.changedAt ?? new Date()) : null,
  };
  return { change, result: { state, differences, leftOut: chosen.leftOut } };
}

/** Stores a new result, unless the tool was changed concurrently. */
async function record(runtime: Runtime, tool: ImportedTool, change: Change): Promise<void> {
  const { db } = runtime;
  const { name } = tool;
  const isNew = await db.transaction(async (tx) => {
    const now = await findImported(tx, name, { lock: true });
    if (!now) return false;
    await markChecked(tx, name);
    if (now.definitionHash !== tool.definitionHash || now.revision !== tool.revision) return false;
    if (stateOf(tool, change) === stateOf(tool, {})) return false;
    await updateImported(tx, name, change);
    await tellOthers(tx);
    return change.changedAt != null && tool.changedAt === null;
  });
  if (isNew) await tellOperator(runtime, tool);
}

/** Returns the part of a check's result that other processes need, for comparison. */
function stateOf(tool: ImportedTool, change: Change): string {
  const { problem, changedAt, pendingDefinition, connection } = { ...tool, ...change };
  const pending = pendingDefinition && definitionHash(pendingDefinition);
  return JSON.stringify([problem, changedAt !== null, pending, connection]);
}

async function tellOperator(
  { ports, settings, log }: Runtime,
  { name, presentation }: ImportedTool,
): Promise<void> {
  log.warn('imported_tool.changed', { tool: name });
  const shown = oneLine(presentation.displayName);
  const mail = linkMail({
    to: settings.operatorEmail,
    subject: `An imported tool has changed: ${shown}`,
    heading: `${shown} no longer matches what you approved`,
    body: [
      `Its upstream now describes the tool "${name}" differently, so calls to it are refused.`,
      `See what changed with: npm run admin -- tools diff ${name}. Then approve it with tools approve ${name}, or remove it with tools remove ${name}.`,
    ],
    button: 'Open the tool',
    url: `${settings.baseUrl}/tools/${name}`,
    note: 'Refused calls are not charged.',
  });
  await ports.mail
    ?.send(mail)
    .catch((error) => log.warn('imported_tool.change_email_failed', { tool: name, error }));
}

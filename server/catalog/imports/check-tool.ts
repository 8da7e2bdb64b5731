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

/** What a look at the upstream found. */
export interface CheckResult {
  name: string;
  /** `news`: it has more than before, which callers do not see until it is approved. */
  state: 'same' | 'news' | 'changed' | 'unreachable' | 'not checked';
  differences: Difference[];
  leftOut: LeftOut[];
  problem: string | null;
}

/**
 * Looks whether the upstream is still what was approved. Where it is not, the tool stops in all processes until somebody
 * approves what it is now; what cannot be reached stops until it can be.
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
    const problem = 'Its upstream cannot be used at the moment.';
    runtime.log.warn('an imported tool cannot be reached', { tool: name, error });
    await record(runtime, tool, { problem });
    return { ...nothing, state: 'unreachable', problem: error.message };
  }
}

/** @throws GatewayError NOT_FOUND */
export async function getImported({ db }: Pick<Runtime, 'db'>, name: string): Promise<ImportedTool> {
  const tool = await findImported(db, name);
  if (tool) return tool;
  throw new GatewayError('NOT_FOUND', { message: `No imported tool is called ${name}. See tools list.` });
}

/** A tool that works is not stopped for one failure to reach its upstream. */
async function lookTwice(runtime: Runtime, tool: ImportedTool) {
  try {
    return await look(runtime, tool);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    runtime.log.info('an imported tool was not reached and is tried again', { tool: tool.name, error });
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
  // What was approved is compared also where it would not be chosen any more.
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

/** Writes what was found where it is new, unless somebody has changed the tool meanwhile. */
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

/** All that others have to know of a look. */
function stateOf(tool: ImportedTool, change: Change): string {
  const { problem, changedAt, pendingDefinition, connection } = { ...tool, ...change };
  const pending = pendingDefinition && definitionHash(pendingDefinition);
  return JSON.stringify([problem, changedAt !== null, pending, connection]);
}

async function tellOperator(
  { ports, settings, log }: Runtime,
  { name, presentation }: ImportedTool,
): Promise<void> {
  log.warn('an imported tool has changed at its source and was stopped', { tool: name });
  const shown = oneLine(presentation.displayName);
  const mail = linkMail({
    to: settings.operatorEmail,
    subject: `An imported tool has changed: ${shown}`,
    heading: `${shown} is not what you approved any more`,
    body: [
      `Its upstream describes the tool "${name}" in another way now, so calls of it were stopped.`,
      `See what changed with: npm run admin -- tools diff ${name}. Then approve it with tools approve ${name}, or remove it with tools remove ${name}.`,
    ],
    button: 'Open the tool',
    url: `${settings.baseUrl}/tools/${name}`,
    note: 'Nothing is charged for calls that are refused meanwhile.',
  });
  await ports.mail
    ?.send(mail)
    .catch((error) => log.warn('the operator was not told by mail', { tool: name, error }));
}

import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { getAdminCommand } from '../../kit/admin-command';
import { renderLinkEmail, toSafeLine } from '../../platform/email/render-link-email';
import { chooseSkills, findSchemeOfSkills, MAX_SKILLS } from './choose-skills';
import {
  breaksCallers,
  compareDefinitions,
  createDefinition,
  type Difference,
  definitionHash,
  type SkippedSkill,
} from './definition';
import type { ImportedTool } from './imported';
import { openToolCredential } from './open-tool-credential';
import { readSource } from './read-source';
import { type Change, findImported, markChecked, notifyOthers, updateImported } from './store';

type CheckRuntime = Pick<Runtime, 'log' | 'ports' | 'settings'>;

/** The result of checking a tool's upstream. */
export interface CheckResult {
  name: string;
  /** `news`: the upstream has added skills, which callers do not see until they are approved. */
  state: 'same' | 'news' | 'changed' | 'unreachable' | 'not checked';
  differences: Difference[];
  leftOut: SkippedSkill[];
  /** Why it is unreachable, or what does not stop it although it should be looked at. */
  problem: string | null;
}

/**
 * Checks whether the upstream still matches the approved definition. If not, the tool stops in all
 * processes until the operator approves the change. A tool that cannot be reached stops until it
 * can.
 * @throws GatewayError NOT_FOUND
 */
export async function checkTool(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  name: string,
): Promise<CheckResult> {
  const tool = await getImported(runtime, name);
  const nothing = { name, differences: [], leftOut: [], problem: null };
  if (tool.source.kind === 'openapi' && tool.source.url === null) {
    await markChecked(runtime.db, name);
    return { ...nothing, state: 'not checked' };
  }
  try {
    const fetched = await fetchCurrentWithRetry(runtime, tool);
    await recordCheck(runtime, tool, fetched.change);
    return { ...nothing, ...fetched.result };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const problem = 'Its upstream is unavailable at the moment.';
    runtime.log.warn('imported_tool.unreachable', { tool: name, error });
    await recordCheck(runtime, tool, { problem });
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
async function fetchCurrentWithRetry(runtime: CheckRuntime, tool: ImportedTool) {
  try {
    return await fetchCurrent(runtime, tool);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    runtime.log.info('imported_tool.check_retried', { tool: tool.name, error });
    return await fetchCurrent(runtime, tool);
  }
}

async function fetchCurrent(runtime: CheckRuntime, tool: ImportedTool) {
  const { name, source, allowPrivate, definition, presentation } = tool;
  const credentials = tool.slots.flatMap((slot) => {
    const value = openToolCredential(runtime, slot);
    return value === null ? [] : [{ carrier: slot.carrier, value }];
  });
  const reading = await readSource(runtime, source, { tool: name, allowPrivate, credentials });
  const pinned = new Set(definition.skills.map(({ upstream }) => upstream));
  const chosen = await chooseSkills(reading, presentation, findSchemeOfSkills(definition.skills));
  // Approved skills are compared even if the filters would no longer choose them.
  const approvedSkills = reading.skills.filter(({ upstream }) => pinned.has(upstream));
  const added = chosen.skills.filter(({ upstream }) => !pinned.has(upstream)).slice(0, MAX_SKILLS);
  const now = createDefinition(source, [...approvedSkills, ...added]);
  const differences = compareDefinitions(definition, now);
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
  const problem = describeMovedServer(tool, reading.namedServer);
  return { change, result: { state, differences, leftOut: chosen.leftOut, problem } };
}

/** Calls and the credential stay with the approved server: its document may be someone else's. */
function describeMovedServer({ name, source }: ImportedTool, namedServer: string | null): string | null {
  if (source.kind !== 'openapi' || namedServer === null || namedServer === source.server) return null;
  return `Its document names the server ${namedServer}, but calls go to ${source.server}, which was approved. To move it, remove it with tools remove ${name} and import it again.`;
}

/** Stores a new result, unless the tool was changed concurrently. */
async function recordCheck(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  tool: ImportedTool,
  change: Change,
): Promise<void> {
  const { db } = runtime;
  const { name } = tool;
  const isNew = await db.transaction(async (tx) => {
    const now = await findImported(tx, name, { lock: true });
    if (!now) return false;
    await markChecked(tx, name);
    if (now.definitionHash !== tool.definitionHash || now.revision !== tool.revision) return false;
    if (getCheckFingerprint(tool, change) === getCheckFingerprint(tool, {})) return false;
    await updateImported(tx, name, change);
    await notifyOthers(tx);
    return change.changedAt != null && tool.changedAt === null;
  });
  if (isNew) await emailOperator(runtime, tool);
}

/** Returns the part of a check's result that other processes need, for comparison. */
function getCheckFingerprint(tool: ImportedTool, change: Change): string {
  const { problem, changedAt, pendingDefinition, connection } = { ...tool, ...change };
  const pending = pendingDefinition && definitionHash(pendingDefinition);
  return JSON.stringify([problem, changedAt !== null, pending, connection]);
}

async function emailOperator(
  { ports, settings, log }: CheckRuntime,
  { name, presentation }: ImportedTool,
): Promise<void> {
  log.warn('imported_tool.changed', { tool: name });
  const shown = toSafeLine(presentation.displayName);
  const mail = renderLinkEmail(
    {
      to: settings.operatorEmail,
      subject: `An imported tool has changed: ${shown}`,
      heading: `${shown} no longer matches what you approved`,
      body: [
        `Its upstream now describes the tool "${name}" differently, so calls to it are refused.`,
        `See what changed with: ${getAdminCommand()} tools diff ${name}. Then approve it with tools approve ${name}, or remove it with tools remove ${name}.`,
      ],
      button: 'Open the tool',
      url: `${settings.baseUrl}/tools/${name}`,
      note: 'Refused calls are not charged.',
    },
    settings.brand,
  );
  await ports.mail
    ?.send(mail)
    .catch((error) => log.warn('imported_tool.change_email_failed', { tool: name, error }));
}

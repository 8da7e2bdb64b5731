import { openMessage, SEAL_MARK } from '../calls/contents/seal-message';
import { writeAudit } from '../core/audit/audit';
import { GatewayError } from '../core/errors/gateway-error';
import { takeFromWindow } from '../core/limits/store';
import type { Runtime } from '../core/runtime';
import { actorName, type SessionActor } from '../core/trpc/actor';
import { requireFactor } from '../identity/factor/check-code';
import {
  allowExport,
  findEmail,
  readProfile,
  readSection,
  SECTIONS,
  type SectionName,
  takeExport,
} from './export-store';

/** The file reads everything about an account, so a few a day must do. */
const PER_PERSON = { scope: 'data-exports', quota: 5, seconds: 24 * 3600 };
/** Between the request and the start of the download. */
const START_SECONDS = 300;

/** Path of the download; a page opens it after `startExport`. */
export const EXPORT_PATH = '/dashboard/settings/export.json';

/**
 * Allows this session one download of the person's data.
 * @throws GatewayError INVALID_INPUT without a code of the second factor; RATE_LIMIT_EXCEEDED
 */
export async function startExport(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  actor: SessionActor,
  code?: string,
): Promise<{ path: string }> {
  const email = await findEmail(runtime.db, actor.userId);
  if (email === null) throw new GatewayError('AUTH_FAILED');
  await requireFactor(runtime, { userId: actor.userId, email }, code);
  await runtime.db.transaction(async (tx) => {
    const { taken, resetSeconds } = await takeFromWindow(tx, { ...PER_PERSON, subject: actor.userId });
    if (!taken)
      throw new GatewayError('RATE_LIMIT_EXCEEDED', {
        message: `You can export your data ${PER_PERSON.quota} times a day.`,
        hint: `Try again in ${Math.ceil(resetSeconds / 60)} min.`,
        details: { limit: PER_PERSON.scope, retry_after: resetSeconds },
      });
    await allowExport(tx, actor.sessionId, START_SECONDS);
    await writeAudit(tx, { actor: actorName(actor), action: 'account.export', accountId: actor.accountId });
  });
  return { path: EXPORT_PATH };
}

/**
 * Writes everything about the person and their personal account as one JSON document, in pages.
 * @throws GatewayError FORBIDDEN unless `startExport` has just allowed it
 */
export async function exportData(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: SessionActor,
): Promise<{ filename: string; text: AsyncIterable<string>; contentType: string }> {
  if (!(await takeExport(runtime.db, actor.sessionId)))
    throw new GatewayError('FORBIDDEN', {
      message: 'This download was not requested, or has expired.',
      hint: 'Request it again under Export your data in the settings.',
    });
  const subject = { userId: actor.userId, accountId: actor.accountId };
  return { filename: 'my-data.json', text: writeDocument(runtime, subject), contentType: 'application/json' };
}

async function* writeDocument(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  subject: { userId: string; accountId: string },
): AsyncGenerator<string> {
  const { db } = runtime;
  const found = await readProfile(db, subject);
  if (!found) throw new GatewayError('AUTH_FAILED');
  yield `{\n"exported_at": ${JSON.stringify(new Date().toISOString())},\n"profile": ${found.profile},\n"account": ${found.account}`;
  for (const name of Object.keys(SECTIONS) as SectionName[]) {
    yield `,\n"${name}": [`;
    let separator = '\n';
    for await (const rows of readSection(db, name, subject)) {
      if (rows.length === 0) continue;
      const lines = rows.map(({ id, line }) => (name === 'calls' ? openLine(runtime, id, line) : line));
      yield separator + lines.join(',\n');
      separator = ',\n';
    }
    yield '\n]';
  }
  yield '\n}\n';
}

/** As PostgreSQL writes `SEAL_MARK`; no other field can contain an unescaped quotation mark. */
const SEALED_FIELD = /"error_message":"\\u0001([\w.-]+)"/;

/** A call with its error message opened. Parsing the line would round its numbers. */
function openLine(runtime: Pick<Runtime, 'log' | 'ports'>, callId: string, line: string): string {
  return line.replace(SEALED_FIELD, (_, sealed: string) => {
    const message = openMessage(runtime, callId, SEAL_MARK + sealed);
    return `"error_message":${JSON.stringify(message)}`;
  });
}

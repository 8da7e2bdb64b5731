import type { Runtime } from '../../core/runtime';
import { encodeCursor, matchCursor, splitPage } from '../../core/trpc/cursor';
import { MAX_ATTEMPTS } from '../../platform/email/limits';
import { countFailed, type EventDbRow, listFailedEmails, listEvents as listRows } from './events-store';
import { toIso, toIsoOrNull } from './operator';
import type { EventList, EventRow } from './schema';

const PAGE = 30;
const MAX_MAILS = 50;
const CURSOR = /^(\d{10,18})\.([A-Za-z0-9_]{1,100})$/;

/**
 * Lists payment provider events in pages, newest first, and the emails that could not be sent.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function listEvents(
  { db }: Pick<Runtime, 'db'>,
  { state, cursor }: { state?: EventRow['state'] | undefined; cursor?: string | undefined },
): Promise<EventList> {
  const [, place = '', id = ''] = cursor === undefined ? [] : matchCursor(cursor, CURSOR);
  const [rows, failed, mails] = await Promise.all([
    listRows(db, state, id === '' ? null : { place, id }, PAGE + 1),
    countFailed(db),
    listFailedEmails(db, MAX_MAILS),
  ]);
  const { page, last } = splitPage(rows, PAGE);
  return {
    events: page.map(describe),
    next_cursor: last && encodeCursor(`${last.place}.${last.id}`),
    failed,
    mails: mails.map((mail) => ({
      ...mail,
      id: String(mail.id),
      given_up: mail.attempts >= MAX_ATTEMPTS,
      due_at: toIso(mail.due_at),
      created_at: toIso(mail.created_at),
    })),
  };
}

function describe({ place: _, received_at, finished_at, ...event }: EventDbRow): EventRow {
  const state = event.outcome !== null ? 'processed' : event.error !== null ? 'failed' : 'received';
  return { ...event, state, received_at: toIso(received_at), finished_at: toIsoOrNull(finished_at) };
}

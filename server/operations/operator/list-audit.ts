import type { Runtime } from '../../core/runtime';
import { decodeCursor, toPage } from '../../core/trpc/cursor';
import { csvLine } from '../../kit/csv';
import { type AuditDbRow, listAudit as listRows } from './audit-store';
import { toIso } from './operator';
import type { AuditFilter, AuditList, AuditRow } from './schema';

const PAGE = 50;
const CSV_PAGE = 200;

/**
 * Lists audit events in pages, newest first.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function listAudit(
  runtime: Pick<Runtime, 'db'>,
  { cursor, ...filter }: AuditFilter & { cursor?: string | undefined },
): Promise<AuditList> {
  const rows = await listRows(runtime.db, filter, decodeCursor(cursor, 'audit'), PAGE + 1);
  const { page, next_cursor } = toPage(rows, PAGE);
  return { events: page.map(describe), next_cursor };
}

/** Yields all of them as lines of a CSV file. */
export async function* writeAuditCsv(
  runtime: Pick<Runtime, 'db'>,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield csvLine(['at', 'actor', 'action', 'account', 'target', 'details', 'request', 'id']);
  let before: string | undefined;
  for (;;) {
    const rows: AuditDbRow[] = await listRows(runtime.db, filter, before, CSV_PAGE);
    const lines = rows
      .map(describe)
      .map((row) =>
        csvLine([
          row.at,
          row.actor,
          row.action,
          row.account_id ?? '',
          row.target ?? '',
          JSON.stringify(row.details),
          row.request_id ?? '',
          row.id,
        ]),
      );
    if (lines.length > 0) yield lines.join('');
    before = rows.at(-1)?.id;
    if (before === undefined || rows.length < CSV_PAGE) return;
  }
}

function describe(row: AuditDbRow): AuditRow {
  const { created_at, ...event } = row;
  return { ...event, at: toIso(created_at) };
}

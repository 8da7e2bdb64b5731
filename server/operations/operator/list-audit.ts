import type { Runtime } from '../../core/runtime';
import { decodeCursor, toPage } from '../../core/trpc/cursor';
import { csvLine } from '../../kit/csv';
import { type AuditDbRow, listAudit as listRows } from './audit-store';
import { toIso } from './operator';
import type { AuditFilter, AuditInput, AuditList, AuditRow } from './schema';

const PAGE = 50;
const CSV_PAGE = 200;

/**
 * Lists audit events in pages, by default newest first.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function listAudit(
  runtime: Pick<Runtime, 'db'>,
  { cursor, sort, ...filter }: AuditInput,
): Promise<AuditList> {
  const rows = await listRows(runtime.db, filter, {
    after: decodeCursor(cursor, 'audit'),
    sort,
    limit: PAGE + 1,
  });
  const { page, next_cursor } = toPage(rows, PAGE);
  return { events: page.map(describe), next_cursor };
}

/** Yields all of them as lines of a CSV file, newest first. */
export async function* writeAuditCsv(
  runtime: Pick<Runtime, 'db'>,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(CSV_COLUMNS));
  let after: string | undefined;
  for (;;) {
    const rows: AuditDbRow[] = await listRows(runtime.db, filter, { after, limit: CSV_PAGE });
    const lines = rows
      .map(describe)
      .map((row) => csvLine(Object.values(CSV_COLUMNS).map((read) => read(row))));
    if (lines.length > 0) yield lines.join('');
    after = rows.at(-1)?.id;
    if (after === undefined || rows.length < CSV_PAGE) return;
  }
}

/** Ids with their names, which may change or be of something deleted. */
const CSV_COLUMNS: Record<string, (row: AuditRow) => string> = {
  at: ({ at }) => at,
  actor: ({ actor }) => actor,
  actor_name: ({ actor_name: name }) => name ?? '',
  action: ({ action }) => action,
  account: ({ account_id: id }) => id ?? '',
  account_name: ({ account_name: name }) => name ?? '',
  target: ({ target }) => target ?? '',
  target_name: ({ target_name: name }) => name ?? '',
  details: ({ details }) => JSON.stringify(details),
  request: ({ request_id: id }) => id ?? '',
  id: ({ id }) => id,
};

function describe(row: AuditDbRow): AuditRow {
  const { created_at, ...event } = row;
  return { ...event, at: toIso(created_at) };
}

import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { csvLine } from '../kit/csv';
import { findOldest } from './get-refusals';
import { readFilter } from './get-report';
import { readKeyLabels } from './key-labels';
import { resolvePeriod, type Span } from './period';
import { listRefusalMinutes, type RefusalMinuteRow } from './refusals-store';
import type { ReportFilter } from './report-store';
import type { UsageFilter } from './schema';

const DAY_MS = 86_400_000;

interface Line extends RefusalMinuteRow {
  keyName: string;
}

const COLUMNS = {
  minute: (line) => new Date(line.at_ms).toISOString(),
  refused: (line) => String(line.refused),
  error_code: (line) => line.code,
  limit: (line) => line.limit_name,
  tool: (line) => line.tool,
  key_id: (line) => line.key_id,
  key_name: (line) => line.keyName,
  last_at: (line) => new Date(line.last_ms).toISOString(),
} satisfies Record<string, (line: Line) => string>;

/**
 * Writes the refused calls of a filter as CSV (RFC 4180), as they are counted: a row per minute,
 * key, code and tool, newest first.
 * @returns the file name and the text, day by day
 * @throws GatewayError as a report does
 */
export async function writeRefusalsCsv(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  filter: UsageFilter,
): Promise<{ filename: string; text: AsyncIterable<string> }> {
  const { scope, which } = await readFilter(runtime, actor, filter);
  const now = runtime.ports.clock.now();
  const span = resolvePeriod(filter, now, findOldest(now));
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const days = [day(span.from.getTime()), 'to', day(span.to.getTime() - 1)];
  const name = ['refused-calls', scope.account?.slug, ...days].filter(Boolean).join('-');
  return { filename: `${name}.csv`, text: lines(runtime, actor, which, span) };
}

async function* lines(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  which: ReportFilter,
  { from, to }: Span,
) {
  const cells = Object.values(COLUMNS);
  const now = runtime.ports.clock.now();
  // Days may be chosen in which nothing is stored.
  const oldest = Math.max(from.getTime(), findOldest(now).getTime());
  const newest = Math.min(to.getTime(), now.getTime() + DAY_MS);
  yield csvLine(Object.keys(COLUMNS));
  for (let end = newest; end > oldest; end -= DAY_MS) {
    const part = { from: new Date(Math.max(oldest, end - DAY_MS)), to: new Date(end) };
    const rows = await listRefusalMinutes(runtime.db, which, part);
    const label = await readKeyLabels(
      runtime,
      actor,
      rows.flatMap(({ key_id: id }) => id || []),
    );
    const named = rows.map((row) => ({ ...row, keyName: row.key_id && label(row.key_id).name }));
    yield named.map((line) => csvLine(cells.map((cell) => cell(line)))).join('');
  }
}

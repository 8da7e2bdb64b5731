import postgres from 'postgres';

/**
 * The parts of a schema that the statements of a version rely on, by name. SQL functions are not
 * among them: `npm run check -- migrations` compares their headers.
 */
interface SchemaFacts {
  /** `table.column` → type, nullability, and whether an insert may omit it. */
  columns: Map<string, { type: string; mayBeNull: boolean; mayBeLeftOut: boolean }>;
  /** Table → its check constraints and unique indexes (named by `on conflict`). */
  rules: Map<string, Set<string>>;
}

/** Reads the schema of a database, without partitions, which no statement names. */
export async function readSchemaFacts(url: string): Promise<SchemaFacts> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const columns = await sql`
      select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as may_be_null,
        not a.attnotnull or a.atthasdef or a.attidentity <> '' as may_be_left_out
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped`;
    const rules = await sql`
      select conrelid::regclass::text as name, pg_get_constraintdef(oid) as rule from pg_constraint
      where contype = 'c' and conrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
      union all
      select indrelid::regclass::text, regexp_replace(pg_get_indexdef(indexrelid), ' INDEX \\S+ ON', '') from pg_index
      where indisunique and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and not relispartition)`;
    const byTable = new Map<string, Set<string>>();
    for (const { name, rule } of rules) byTable.set(name, (byTable.get(name) ?? new Set()).add(rule));
    return {
      columns: new Map(
        columns.map(({ name, type, may_be_null: mayBeNull, may_be_left_out: mayBeLeftOut }) => [
          name,
          { type, mayBeNull, mayBeLeftOut },
        ]),
      ),
      rules: byTable,
    };
  } finally {
    await sql.end();
  }
}

/**
 * Lists why statements of the previous version would fail on the newer schema, by object.
 * @param contracted names of tables and columns (`table.column`) no longer in use
 */
export function findBreakingChanges(
  before: SchemaFacts,
  after: SchemaFacts,
  contracted: readonly string[],
): string[] {
  const broken: [name: string, why: string][] = [];
  for (const [name, { type, mayBeNull, mayBeLeftOut }] of before.columns) {
    const now = after.columns.get(name);
    if (!now) broken.push([name, 'is gone']);
    else if (now.type !== type) broken.push([name, `was ${type} and is ${now.type}`]);
    else if (mayBeNull && !now.mayBeNull) broken.push([name, 'is no longer nullable']);
    else if (mayBeLeftOut && !now.mayBeLeftOut) broken.push([name, 'is now required']);
  }
  const tables = new Set([...before.columns.keys()].map(getTableName));
  for (const [name, { mayBeLeftOut }] of after.columns)
    if (!before.columns.has(name) && tables.has(getTableName(name)) && !mayBeLeftOut)
      broken.push([name, 'is new and required']);
  for (const table of tables) broken.push(...findChangedRules(table, before, after));
  return broken
    .filter(([name, why]) => !contracted.some((it) => isContracted(it, name, why)))
    .map(([name, why]) => `${name} ${why}`);
}

/** Whether a stated reason covers a change of a table, column, or rule of a column. */
function isContracted(it: string, name: string, why: string): boolean {
  if ([name, getTableName(name)].includes(it)) return true;
  const [table, column] = it.split('.');
  return table === name && column !== undefined && new RegExp(`\\b${column}\\b`).test(why);
}

function findChangedRules(table: string, before: SchemaFacts, after: SchemaFacts): [string, string][] {
  const [was, is] = [before, after].map(({ rules }) => [...(rules.get(table) ?? [])]);
  return [
    ...(was ?? [])
      .filter((rule) => !is?.includes(rule))
      .map((rule): [string, string] => [table, `has lost ${rule}`]),
    ...(is ?? [])
      .filter((rule) => !was?.includes(rule))
      .map((rule): [string, string] => [table, `has gained ${rule}`]),
  ];
}

function getTableName(column: string): string {
  return column.split('.')[0] ?? column;
}

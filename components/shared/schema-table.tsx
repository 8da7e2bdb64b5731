import { type SchemaRow, schemaRows } from './schema-rows';

interface SchemaTableProps {
  schema: unknown;
  /** The accessible name: `Input of evaluate`. */
  caption: string;
  /** Shown if there are no fields. */
  empty: string;
  /** Marks required fields; not used for outputs. */
  showRequired?: boolean;
}

/** A JSON Schema as a readable list of fields. */
export function SchemaTable({ schema, caption, empty, showRequired }: SchemaTableProps) {
  const rows = schemaRows(schema);
  if (rows.length === 0) return <p className="text-muted text-sm">{empty}</p>;
  return (
    <dl aria-label={caption} className="field-list">
      {rows.map((row) => (
        <Field key={row.path} row={row} showRequired={showRequired} />
      ))}
    </dl>
  );
}

function Field({ row, showRequired }: { row: SchemaRow; showRequired?: boolean | undefined }) {
  return (
    <div style={row.depth > 0 ? { paddingLeft: `${row.depth}rem` } : undefined}>
      <dt>
        <code>{row.path}</code>
        <span>{row.type}</span>
        {showRequired && row.required && <span>required</span>}
      </dt>
      <dd>
        {row.description && <span>{row.description}</span>}
        <Rules row={row} alone={!row.description} />
      </dd>
    </div>
  );
}

function Rules({ row, alone }: { row: SchemaRow; alone: boolean }) {
  if (row.rules.length === 0 && row.values.length === 0)
    return alone ? <span className="text-muted">—</span> : null;
  return (
    <span className="text-muted text-xs leading-5">
      {row.rules.join(' · ')}
      {row.rules.length > 0 && row.values.length > 0 && ' · '}
      {row.values.length > 0 && (
        <>
          one of{' '}
          {row.values.map((value, index) => (
            <span key={value}>
              {index > 0 && ', '}
              <code className="font-mono">{value}</code>
            </span>
          ))}
        </>
      )}
    </span>
  );
}

type ActualColumns = readonly { readonly name: string; readonly type: number }[];

/** The part of the driver's result that is checked: the statement as PostgreSQL described it. */
interface Result extends ReadonlyArray<unknown> {
  readonly statement: {
    /** Empty if the statement is not prepared: then each run has new columns. */
    readonly name: string;
    readonly string: string;
    /** Undefined if it returned no rows, not even none. */
    readonly columns?: ActualColumns;
  };
}

/** PostgreSQL's names of types, for messages. */
const TYPE_NAMES = new Map([
  [16, 'boolean'],
  [17, 'bytea'],
  [19, 'name'],
  [20, 'bigint'],
  [21, 'smallint'],
  [23, 'integer'],
  [25, 'text'],
  [114, 'json'],
  [700, 'real'],
  [701, 'double precision'],
  [1007, 'integer[]'],
  [1009, 'text[]'],
  [1016, 'bigint[]'],
  [1043, 'varchar'],
  [1082, 'date'],
  [1114, 'timestamp'],
  [1184, 'timestamptz'],
  [1186, 'interval'],
  [1700, 'numeric'],
  [2278, 'void'],
  [2950, 'uuid'],
  [3802, 'jsonb'],
]);

const getTypeName = (oid: number) => TYPE_NAMES.get(oid) ?? `type with oid ${oid}`;

/** A declared column: its PostgreSQL types (oids), and `T`, the value that `connect` parses. */
class Column<T> {
  declare readonly value: T;
  readonly types: readonly number[];
  readonly isNullable: boolean;

  constructor(types: readonly number[], isNullable = false) {
    this.types = types;
    this.isNullable = isNullable;
  }

  nullable(): Column<T | null> {
    return new Column(this.types, true);
  }

  get typeNames(): string {
    return this.types.map(getTypeName).join(' or ');
  }
}

/** Text, or the union of texts that the statement can return: `text<'open' | 'paid'>()`. */
export const text = <T extends string = string>() => new Column<T>([25, 1043]);
export const integer = () => new Column<number>([23, 21]);
export const float = () => new Column<number>([701, 700]);
export const bigint = () => new Column<bigint>([20]);
export const boolean = () => new Column<boolean>([16]);
/** The driver parses the document; nothing checks its shape. */
export const json = <T>() => new Column<T>([114, 3802]);
/** A string, because Drizzle turns off the driver's parser. */
export const timestamptz = () => new Column<string>([1184]);

type Columns = Readonly<Record<string, Column<unknown>>>;
type Values<C extends Columns> = { -readonly [Name in keyof C]: C[Name]['value'] };

/** The type of the rows of a definition. */
export type RowOf<D extends RowDefinition<unknown>> = D extends RowDefinition<infer Row> ? Row : never;

/** Set by the tests: also refuses nulls and columns that are not declared. */
export const rowChecks = { strict: false };

/**
 * Declares the columns of a statement's rows. `definition.read(sql`…`)` returns the typed rows, and
 * fails if the statement returns other columns.
 */
export function defineRow<C extends Columns>(columns: C): RowDefinition<Values<C>> {
  return new RowDefinition<Values<C>>(columns);
}

class RowDefinition<Row> {
  declare readonly row: Row;
  readonly #columns: Columns;
  /** The columns of prepared statements that match: each is checked once per connection. */
  readonly #matching = new WeakSet<object>();

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /** Runs a statement of postgres.js or of Drizzle's `execute`. */
  read(query: Promise<Result>): Promise<Row[]> {
    return query.then(this.#check);
  }

  readonly #check = (result: Result): Row[] => {
    const { name, string, columns = [] } = result.statement;
    if (!this.#matching.has(columns)) {
      this.#compare(columns, string);
      if (name !== '') this.#matching.add(columns);
    }
    if (rowChecks.strict) this.#refuseNulls(result);
    return result as unknown as Row[];
  };

  #compare(actual: ActualColumns, string: string): void {
    for (const [name, column] of Object.entries(this.#columns)) {
      const found = actual.find((other) => other.name === name);
      if (!found) throw mismatch(name, column, 'it does not return it', string);
      if (!column.types.includes(found.type))
        throw mismatch(name, column, `it returns ${getTypeName(found.type)}`, string);
    }
    // Only in tests: the next release may add a column to a function while this one still runs.
    const other = rowChecks.strict && actual.find(({ name }) => !Object.hasOwn(this.#columns, name));
    if (other)
      throw new Error(`Column ${other.name} (${getTypeName(other.type)}) is not declared: ${string}`);
  }

  #refuseNulls(result: Result): void {
    for (const row of result as ReadonlyArray<Readonly<Record<string, unknown>>>)
      for (const [name, column] of Object.entries(this.#columns))
        if (!column.isNullable && row[name] === null)
          throw mismatch(name, column, 'it returns null', result.statement.string);
  }
}

function mismatch(name: string, column: Column<unknown>, actual: string, statement: string): Error {
  return new Error(
    `Column ${name} of a statement is declared as ${column.typeNames}, but ${actual}: ${statement}`,
  );
}

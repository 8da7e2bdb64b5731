// What in a migration would break the version before, which still runs while it is applied, or hold up its traffic.

const OUTSIDE_A_TRANSACTION = '-- outside a transaction';
const BREAKPOINT = '--> statement-breakpoint';

/**
 * A statement that needs a reason, and how to do it instead.
 * @typedef {object} Rule
 * @property {RegExp} finds its first group names the table, index or function
 * @property {'contract' | 'small'} excuse which comment allows it
 * @property {string} instead
 * @property {RegExp} [unless] a statement that also has this is harmless
 */

const NAME = String.raw`((?:"?public"?\.)?"?\w+"?)`;
const TABLE = `^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${NAME} `;
const MAKES_A_TABLE = new RegExp(`^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?${NAME}`, 'i');

/** @type {Rule[]} */
const RULES = [
  rule(`^DROP TABLE (?:IF EXISTS )?${NAME}`, 'contract', 'leave it until no running version uses it'),
  rule(
    `^DROP (?:MATERIALIZED )?VIEW (?:IF EXISTS )?${NAME}`,
    'contract',
    'leave it until no running version uses it',
  ),
  rule(`^DROP (?:FUNCTION|PROCEDURE) (?:IF EXISTS )?${NAME}`, 'contract', 'make the new one beside it'),
  rule(`^DROP TYPE (?:IF EXISTS )?${NAME}`, 'contract', 'leave it until no running version uses it'),
  rule(`^TRUNCATE (?:TABLE )?${NAME}`, 'contract', 'old rows are still read'),
  rule(`^LOCK TABLE ${NAME}`, 'contract', 'do without the lock: all calls wait behind it'),
  rule(`${TABLE}.*\\bRENAME\\b`, 'contract', 'add the new name beside the old one'),
  rule(
    `${TABLE}.*\\bDROP (?!CONSTRAINT|NOT|DEFAULT|EXPRESSION)`,
    'contract',
    'drop it a release after its last use',
  ),
  rule(`${TABLE}.*\\bDROP DEFAULT\\b`, 'contract', 'the version before relies on the default'),
  rule(`${TABLE}.*\\b(?:SET DATA )?TYPE\\b`, 'contract', 'add a column of the new type and fill it'),
  rule(`${TABLE}.*\\bSET NOT NULL\\b`, 'contract', 'the version before writes rows without it'),
  rule(`${TABLE}.*\\bADD COLUMN\\b(?!.*\\bDEFAULT\\b).*\\bNOT NULL\\b`, 'contract', 'give it a DEFAULT'),
  rule(
    `${TABLE}.*\\bADD COLUMN\\b.*\\bDEFAULT (?!now\\(\\)|current_)\\w+\\(`,
    'small',
    'a default that is computed for each row rewrites the table: add the column, then fill it',
  ),
  rule(
    `${TABLE}.*\\bADD (?:CONSTRAINT|UNIQUE|CHECK|PRIMARY|FOREIGN|EXCLUDE)\\b`,
    'contract',
    'the version before may write rows against it; or NOT VALID, for what it never writes',
    /\bNOT VALID\b/,
  ),
  rule(
    `^CREATE UNIQUE INDEX .*? ON (?:ONLY )?${NAME}`,
    'contract',
    'the version before may write rows against it',
  ),
  rule(
    `^CREATE INDEX .*? ON (?:ONLY )?${NAME}`,
    'small',
    'CREATE INDEX CONCURRENTLY, in a migration outside a transaction',
    /^CREATE INDEX CONCURRENTLY\b/,
  ),
  rule(
    `^ALTER (?:TABLE|TYPE|FUNCTION|INDEX) (?:IF EXISTS )?${NAME}.* RENAME\\b`,
    'contract',
    'make a new one',
  ),
  rule(
    `^(?:UPDATE|DELETE FROM) (?:ONLY )?${NAME}`,
    'small',
    'fill large tables in batches, from the program',
  ),
];

/**
 * @param {string} finds
 * @param {Rule['excuse']} excuse
 * @param {string} instead
 * @param {RegExp} [unless]
 * @returns {Rule}
 */
function rule(finds, excuse, instead, unless) {
  return { finds: new RegExp(finds, 'i'), excuse, instead, unless };
}

/**
 * Complaints about one migration. It may say `-- contract: <name> <which version stopped using it>` for what takes something
 * away, and `-- small: <table> <why>` for what is harmless on a table with few rows.
 * @param {string} text
 * @returns {string[]}
 */
export function judgeMigration(text) {
  const statements = statementsOf(text);
  /** @type {Set<string>} Tables that nobody uses yet. */
  const made = new Set();
  const complaints = statements.flatMap((statement) => {
    for (const table of nameIn(statement, MAKES_A_TABLE)) made.add(table);
    const broken = RULES.find(({ finds, unless }) => finds.test(statement) && !unless?.test(statement));
    const name = broken && nameIn(statement, broken.finds)[0];
    if (!broken || !name || made.has(name) || isExcused(text, broken.excuse, name, statement)) return [];
    const excuse = `or say why: -- ${broken.excuse}: ${name} <reason>`;
    return [`${statement.slice(0, 90)}\n    ${broken.instead}; ${excuse}`];
  });
  return [...complaints, ...concurrently(text, statements)];
}

/**
 * The objects that a migration takes away on purpose.
 * @param {string} text
 * @returns {string[]}
 */
export function contractedIn(text) {
  return [...text.matchAll(/^-- contract: (\S+) \S/gm)].map(([, name = '']) => name);
}

/**
 * @param {string} text
 * @param {Rule['excuse']} excuse
 * @param {string} name
 * @param {string} statement
 */
function isExcused(text, excuse, name, statement) {
  // A column is named with its table, and one excuse is for one column.
  const named = [...text.matchAll(new RegExp(`^-- ${excuse}: (\\S+) \\S.{9,}`, 'gm'))].map(
    ([, it = '']) => it,
  );
  return named.some((it) => {
    const [table, column] = it.split('.');
    return table === name && (column === undefined || new RegExp(`\\b${column}\\b`).test(statement));
  });
}

/**
 * An index that was left half made is made anew, which only works where it is dropped first and no transaction is around it.
 * @param {string} text
 * @param {string[]} statements
 */
function concurrently(text, statements) {
  const complaints = [];
  const outside = text.startsWith(OUTSIDE_A_TRANSACTION);
  // PostgreSQL takes what is sent at once for one transaction.
  if (outside && text.split(BREAKPOINT).some((piece) => statementsOf(piece).length > 1))
    complaints.push(`outside a transaction "${BREAKPOINT}" stands between any two statements`);
  for (const [at, statement] of statements.entries()) {
    const index = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(\w+)"?/i.exec(statement)?.[1];
    if (index === undefined) {
      if (outside && !/^DROP INDEX CONCURRENTLY IF EXISTS\b/i.test(statement))
        complaints.push(`${statement.slice(0, 90)}\n    only indexes are made outside a transaction`);
    } else if (!outside)
      complaints.push(`${index}: its migration must begin with "${OUTSIDE_A_TRANSACTION}"`);
    else if (
      !new RegExp(`^DROP INDEX CONCURRENTLY IF EXISTS "?${index}"?$`, 'i').test(statements[at - 1] ?? '')
    )
      complaints.push(`${index}: DROP INDEX CONCURRENTLY IF EXISTS must stand before it, for a second try`);
  }
  return complaints;
}

/**
 * @param {string} statement
 * @param {RegExp} pattern
 * @returns {string[]}
 */
function nameIn(statement, pattern) {
  const name = pattern.exec(statement)?.[1];
  return name === undefined ? [] : [name.replace(/"/g, '').replace(/^public\./, '')];
}

/**
 * Statements on one line each, without comments; what is between dollars is a body, and does nothing yet.
 * @param {string} text
 * @returns {string[]}
 */
function statementsOf(text) {
  return text
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
}

// Finds statements in a migration that would break the previous version, which still runs, or block
// its traffic.

const OUTSIDE_A_TRANSACTION = '-- outside a transaction';
const BREAKPOINT = '--> statement-breakpoint';

/**
 * A statement that requires a stated reason, and the alternative.
 * @typedef {object} Rule
 * @property {RegExp} finds its first group names the table, index or function
 * @property {'contract' | 'small'} excuse which comment allows it
 * @property {string} instead the alternative, or why it is unsafe
 * @property {RegExp | undefined} [unless] marks statements that are safe
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
  rule(`^DROP (?:FUNCTION|PROCEDURE) (?:IF EXISTS )?${NAME}`, 'contract', 'create the new one next to it'),
  rule(`^DROP TYPE (?:IF EXISTS )?${NAME}`, 'contract', 'leave it until no running version uses it'),
  rule(`^TRUNCATE (?:TABLE )?${NAME}`, 'contract', 'the previous version still reads old rows'),
  rule(`^LOCK TABLE ${NAME}`, 'contract', 'avoid the lock: it blocks all calls'),
  rule(`${TABLE}.*\\bRENAME\\b`, 'contract', 'add the new name next to the old one'),
  rule(
    `${TABLE}.*\\bDROP (?!CONSTRAINT|NOT|DEFAULT|EXPRESSION)`,
    'contract',
    'drop it one release after its last use',
  ),
  rule(`${TABLE}.*\\bDROP DEFAULT\\b`, 'contract', 'the previous version relies on the default'),
  rule(`${TABLE}.*\\b(?:SET DATA )?TYPE\\b`, 'contract', 'add a column of the new type and fill it'),
  rule(`${TABLE}.*\\bSET NOT NULL\\b`, 'contract', 'the previous version writes rows without it'),
  rule(`${TABLE}.*\\bADD COLUMN\\b(?!.*\\bDEFAULT\\b).*\\bNOT NULL\\b`, 'contract', 'give it a DEFAULT'),
  rule(
    `${TABLE}.*\\bADD COLUMN\\b.*\\bDEFAULT (?!now\\(\\)|current_)\\w+\\(`,
    'small',
    'a default computed for each row rewrites the table: add the column, then fill it',
  ),
  rule(
    `${TABLE}.*\\bADD (?:CONSTRAINT|UNIQUE|CHECK|PRIMARY|FOREIGN|EXCLUDE)\\b`,
    'contract',
    'the previous version may write rows that violate it; use NOT VALID for rows it never writes',
    /\bNOT VALID\b/,
  ),
  rule(
    `^CREATE UNIQUE INDEX .*? ON (?:ONLY )?${NAME}`,
    'contract',
    'the previous version may write rows that violate it',
  ),
  rule(
    `^CREATE INDEX .*? ON (?:ONLY )?${NAME}`,
    'small',
    'use CREATE INDEX CONCURRENTLY, in a migration outside a transaction',
    /^CREATE INDEX CONCURRENTLY\b/,
  ),
  rule(
    `^ALTER (?:TABLE|TYPE|FUNCTION|INDEX) (?:IF EXISTS )?${NAME}.* RENAME\\b`,
    'contract',
    'create a new one',
  ),
  rule(
    `^(?:UPDATE|DELETE FROM) (?:ONLY )?${NAME}`,
    'small',
    'fill large tables in batches, from application code',
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
 * Finds problems in one migration. It may contain `-- contract: <name> <which version stopped using
 * it>` for statements that remove something, and `-- small: <table> <why>` for statements on small
 * tables.
 * @param {string} text
 * @returns {string[]}
 */
export function judgeMigration(text) {
  const statements = splitStatements(text);
  /** @type {Set<string>} tables that this migration creates */
  const made = new Set();
  const complaints = statements.flatMap((statement) => {
    for (const table of matchName(statement, MAKES_A_TABLE)) made.add(table);
    const broken = RULES.find(({ finds, unless }) => finds.test(statement) && !unless?.test(statement));
    const name = broken && matchName(statement, broken.finds)[0];
    if (!broken || !name || made.has(name) || isExcused(text, broken.excuse, name, statement)) return [];
    const excuse = `or add a reason: -- ${broken.excuse}: ${name} <reason>`;
    return [`${statement.slice(0, 90)}\n    ${broken.instead}; ${excuse}`];
  });
  return [...complaints, ...concurrently(text, statements)];
}

/**
 * The objects that a migration removes on purpose.
 * @param {string} text
 * @returns {string[]}
 */
export function listContracted(text) {
  return [...text.matchAll(/^-- contract: (\S+) \S/gm)].map(([, name = '']) => name);
}

/**
 * @param {string} text
 * @param {Rule['excuse']} excuse
 * @param {string} name
 * @param {string} statement
 */
function isExcused(text, excuse, name, statement) {
  // A column is named together with its table; each reason covers one column.
  const named = [...text.matchAll(new RegExp(`^-- ${excuse}: (\\S+) \\S.{9,}`, 'gm'))].map(
    ([, it = '']) => it,
  );
  return named.some((it) => {
    const [table, column] = it.split('.');
    return table === name && (column === undefined || new RegExp(`\\b${column}\\b`).test(statement));
  });
}

/**
 * Checks concurrent indexes. To retry after a failure, an invalid index must be dropped first,
 * outside a transaction.
 * @param {string} text
 * @param {string[]} statements
 */
function concurrently(text, statements) {
  const complaints = [];
  const outside = text.startsWith(OUTSIDE_A_TRANSACTION);
  // PostgreSQL runs statements that are sent together in one transaction.
  if (outside && text.split(BREAKPOINT).some((piece) => splitStatements(piece).length > 1))
    complaints.push(`outside a transaction, "${BREAKPOINT}" must separate any two statements`);
  for (const [at, statement] of statements.entries()) {
    const index = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(\w+)"?/i.exec(statement)?.[1];
    if (index === undefined) {
      if (outside && !/^DROP INDEX CONCURRENTLY IF EXISTS\b/i.test(statement))
        complaints.push(`${statement.slice(0, 90)}\n    only indexes may be created outside a transaction`);
    } else if (!outside)
      complaints.push(`${index}: its migration must start with "${OUTSIDE_A_TRANSACTION}"`);
    else if (
      !new RegExp(`^DROP INDEX CONCURRENTLY IF EXISTS "?${index}"?$`, 'i').test(statements[at - 1] ?? '')
    )
      complaints.push(
        `${index}: DROP INDEX CONCURRENTLY IF EXISTS must precede it, so that it can be retried`,
      );
  }
  return complaints;
}

/**
 * @param {string} statement
 * @param {RegExp} pattern
 * @returns {string[]}
 */
function matchName(statement, pattern) {
  const name = pattern.exec(statement)?.[1];
  return name === undefined ? [] : [name.replace(/"/g, '').replace(/^public\./, '')];
}

/**
 * Splits into statements, each on one line without comments. Dollar-quoted bodies are removed:
 * creating a function does not run it.
 * @param {string} text
 * @returns {string[]}
 */
function splitStatements(text) {
  return text
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
}

// Finds which tables the SQL of a file names.
const NAMED = /\b(from|join|using|into|update)\s+(?:only\s+)?"?([a-z_]+)"?/gi;
const BUILT = /\.(from|innerJoin|leftJoin|insert|update|delete)\((\w+)/g;

/**
 * @param {string[]} sources of db/schema
 * @returns {Map<string, string>} the constant of each table by the table's name
 */
export function readTables(sources) {
  return new Map(
    sources.flatMap((text) =>
      [...text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].map(
        ([, constant, name]) => /** @type {[string, string]} */ ([name, constant]),
      ),
    ),
  );
}

/**
 * @param {string} text of a file
 * @param {Map<string, string>} tables
 * @returns {Map<string, 'reads' | 'writes'>} by table
 */
export function findTables(text, tables) {
  const byConstant = new Map([...tables].map(([name, constant]) => [constant, name]));
  /** @type {Map<string, 'reads' | 'writes'>} */
  const found = new Map();
  const add = (/** @type {string | undefined} */ table, /** @type {boolean} */ writes) => {
    if (table !== undefined && (writes || !found.has(table))) found.set(table, writes ? 'writes' : 'reads');
  };
  for (const { 1: verb = '', 2: name = '', index } of text.matchAll(NAMED)) {
    if (!tables.has(name)) continue;
    const isDelete = /^from$/i.test(verb) && /delete\s+$/i.test(text.slice(0, index));
    add(name, isDelete || /^(into|update)$/i.test(verb));
  }
  for (const [, verb = '', constant = ''] of text.matchAll(BUILT))
    add(byConstant.get(constant), /^(insert|update|delete)$/.test(verb));
  return found;
}

/**
 * @param {string} file below server/
 * @returns {string} `layer/room`, or `layer` for a file directly in it
 */
export function getRoom(file) {
  const [, layer = '', room = '', ...rest] = file.split('/');
  return rest.length > 0 ? `${layer}/${room}` : layer;
}

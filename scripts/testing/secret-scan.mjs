// Looks for secrets where none may be: in logs, in a dump of the database, in files. A finding names the place and the
// beginning of the secret, never the whole.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';

/** @typedef {{ place: string, secret: string }} Finding */

/** Whatever a test has made or was given: what looks like one of ours, whole. Masks do not. */
const KINDS = [
  { kind: 'an API key', pattern: /tg_live_[0-9A-Za-z]{38}/g },
  { kind: 'a claim token', pattern: /clm_[0-9A-Za-z_-]{43}/g },
  { kind: 'a test secret', pattern: /sk-test-secret-[0-9A-Za-z_-]{8,}/g },
];
const MIN_SECRET_CHARS = 8;
const SHOWN_CHARS = 6;
const ROWS_AT_ONCE = 200;
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** The secrets of one run, and where they were found. */
export class SecretScan {
  /** @type {Map<string, string>} needle to what it is of */
  #needles = new Map();
  /** @type {Finding[]} */
  findings = [];
  /** What was looked through, so that a scan of nothing is no success. */
  looked = { texts: 0, rows: 0, files: 0 };

  /** @param {string[]} secrets that may be found nowhere, in no form */
  constructor(secrets = []) {
    this.register(...secrets);
  }

  /** @param {string[]} secrets */
  register(...secrets) {
    for (const secret of secrets) {
      if (secret.length < MIN_SECRET_CHARS) throw new Error('A secret this short is found everywhere');
      for (const [form, needle] of formsOf(secret))
        if (!this.#needles.has(needle)) this.#needles.set(needle, `${secret.slice(0, SHOWN_CHARS)}…${form}`);
    }
  }

  /**
   * @param {string} place
   * @param {string} text
   */
  scanText(place, text) {
    this.looked.texts++;
    this.#scan(place, text);
  }

  /**
   * Every row of every table, as text: as a dump would have it.
   * @param {string} url
   */
  async scanDatabase(url) {
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    try {
      // Partitions are tables of their own; their parents have no rows.
      const tables = await sql`
        select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
        order by 1, 2`;
      for (const { schema, name } of tables)
        for await (const rows of sql`select t::text as line from ${sql(schema)}.${sql(name)} t`.cursor(
          ROWS_AT_ONCE,
        )) {
          this.looked.rows += rows.length;
          for (const { line } of rows) this.#scan(`table ${schema}.${name}`, line);
        }
    } finally {
      await sql.end({ timeout: 5 });
    }
  }

  /**
   * Every file, byte by byte.
   * @param {string} folder
   * @param {readonly string[]} [except] entries of the folder itself that are left out
   */
  scanFolder(folder, except = []) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (except.includes(entry.name)) continue;
      this.#scan(`the name of ${path}`, entry.name);
      if (entry.isDirectory()) this.scanFolder(path);
      else if (entry.isFile() && statSync(path).size <= MAX_FILE_BYTES) {
        this.looked.files++;
        this.#scan(path, readFileSync(path, 'latin1'));
      }
    }
  }

  /** What was found, one line each place and secret. @returns {string[]} */
  problems() {
    return [...new Set(this.findings.map(({ place, secret }) => `${secret} is in ${place}`))];
  }

  /**
   * @param {string} place
   * @param {string} text
   */
  #scan(place, text) {
    for (const { kind, pattern } of KINDS)
      for (const [found] of text.matchAll(pattern))
        this.findings.push({ place, secret: `${kind} (${found.slice(0, SHOWN_CHARS + MIN_SECRET_CHARS)}…)` });
    for (const [needle, secret] of this.#needles)
      if (text.includes(needle)) this.findings.push({ place, secret });
  }
}

/**
 * A secret as it is, and as it looks where somebody has encoded it.
 * @param {string} secret
 * @returns {[form: string, needle: string][]}
 */
function formsOf(secret) {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  return [
    ['', secret],
    [' in JSON', JSON.stringify(secret).slice(1, -1)],
    [' in an address', encodeURIComponent(secret)],
    [' in hex', hex],
    [' in hex', hex.toUpperCase()],
    ...base64Forms(bytes),
  ];
}

/**
 * Base 64 writes three bytes as four characters: what stands before shifts all of it. The ends, which depend on their
 * neighbours, are left off.
 * @param {Buffer} bytes
 * @returns {[string, string][]}
 */
function base64Forms(bytes) {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const own = text.slice(shift === 0 ? 0 : 4, -1);
    const url = own.replaceAll('+', '-').replaceAll('/', '_');
    return /** @type {[string, string][]} */ ([
      [' in base64', own],
      [' in base64', url],
    ]);
  });
}

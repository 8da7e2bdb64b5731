import { chooseType, createColumn, isExactDouble, TYPES } from './value-types.mjs';

/** @import { ColumnTypes, ValueTypes } from './value-types.mjs' */
/** @import { JsonVisitor } from './json-tokens.mjs' */

const DATES = TYPES.DATE | TYPES.TIMESTAMP | TYPES.TIMESTAMPTZ | TYPES.TIME;
/** What DuckDB reads from JSON without a loss. */
const NATIVE = TYPES.BIGINT | TYPES.DOUBLE;

/**
 * The values of all fields of one name.
 * @typedef {object} JsonField
 * @property {string} name
 * @property {boolean} isInner whether the field is within one of a record
 * @property {ColumnTypes} column
 * @property {boolean} hasScalar
 * @property {boolean} hasNested
 * @property {boolean} isLong whether a BIGINT would lose digits as a DOUBLE
 */

/**
 * Collects the fields of the records and the types of their values.
 * @implements {JsonVisitor}
 */
export class JsonSurvey {
  /** Whether the file is one list of records. @type {boolean | undefined} */
  isList;
  objects = 0;
  /** Records that are no objects. */
  others = 0;
  /** Whether a number fits neither a BIGINT nor a DOUBLE. */
  hasWide = false;
  /** Fields of the records. @type {Map<string, JsonField>} */
  fields = new Map();
  /** Fields within them, by name alone. @type {Map<string, JsonField>} */
  inner = new Map();
  /** The field of the next value in each open object. @type {string[]} */
  #names = [];
  /**
   * Called for each number.
   * @type {((field: JsonField, start: number, end: number, types: number) => void)}
   */
  onNumber = () => {};

  /** @param {ValueTypes} types */
  constructor(types) {
    this.types = types;
  }

  /** Depth of a record. */
  get #level() {
    return this.isList ? 1 : 0;
  }

  /** @param {number} depth @param {string} name */
  name(depth, name) {
    this.#names[depth] = name;
    if (depth === this.#level) this.#find(false, name);
  }

  /** @param {number} depth @param {'object' | 'array'} kind */
  open(depth, kind) {
    if (this.isList === undefined) {
      this.isList = kind === 'array';
      if (this.isList) return;
    }
    if (depth === this.#level) {
      if (kind === 'object') this.objects += 1;
      else this.others += 1;
    } else if (depth > this.#level) this.#field(depth).hasNested = true;
    // Items of a list belong to the field of the list.
    this.#names[depth] = this.#names[depth - 1] ?? '';
  }

  /** @param {number} depth @param {Buffer} bytes @param {number} start @param {number} end */
  string(depth, bytes, start, end) {
    const { column } = this.#scalar(depth);
    if (column.types === 0) return;
    this.types.merge(column, this.types.read(bytes, start, end) & DATES, bytes, start, end);
  }

  /** @param {number} depth @param {Buffer} bytes @param {number} start @param {number} end */
  number(depth, bytes, start, end) {
    const field = this.#scalar(depth);
    let types = this.types.readNumber(bytes, start, end);
    // An exponent without a sign is no number in a CSV.
    if (types === 0 && isExactDouble(bytes.toString('latin1', start, end))) types = TYPES.DOUBLE;
    if ((types & NATIVE) === 0) this.hasWide = true;
    else if ((types & NATIVE) === TYPES.BIGINT) field.isLong = true;
    this.types.merge(field.column, types, bytes, start, end);
    field.column.number = true;
    this.onNumber(field, start, end, types);
  }

  /** @param {number} depth @param {string} word */
  word(depth, word) {
    if (word === 'null') return;
    const { column } = this.#scalar(depth);
    const isTruth = word === 'true' || word === 'false';
    column.types &= isTruth ? TYPES.BOOLEAN : TYPES.DOUBLE;
    column.empty = false;
    if (!isTruth) column.number = true;
  }

  /** @param {number} depth */
  #scalar(depth) {
    if (this.isList === undefined) this.isList = false;
    if (depth === this.#level) this.others += 1;
    const field = this.#field(depth);
    field.hasScalar = true;
    return field;
  }

  /** The field of a value. @param {number} depth */
  #field(depth) {
    const isField = depth === this.#level + 1;
    return this.#find(!isField, this.#names[depth - 1] ?? '');
  }

  /**
   * @param {boolean} isInner
   * @param {string} name
   */
  #find(isInner, name) {
    const fields = isInner ? this.inner : this.fields;
    let field = fields.get(name);
    if (!field) {
      field = { name, isInner, column: createColumn(), hasScalar: false, hasNested: false, isLong: false };
      fields.set(name, field);
    }
    return field;
  }
}

/**
 * Whether a number must become text, because DuckDB would change it.
 * @param {JsonField} field after the whole file
 * @param {number} types of the number
 */
export function isLost({ column }, types) {
  if ((types & NATIVE) === 0) return true;
  return (types & NATIVE) === TYPES.BIGINT && chooseType(column) !== 'BIGINT';
}

/** Whether the file has a number that must become text. @param {JsonSurvey} survey */
export function losesNumbers({ hasWide, fields, inner }) {
  const isMixed = (/** @type {JsonField} */ { isLong, column }) => isLong && chooseType(column) !== 'BIGINT';
  return hasWide || [...fields.values(), ...inner.values()].some(isMixed);
}

import { invalidRequest } from './errors';

type Tree = string | Branch;
interface Branch {
  [key: string]: Tree;
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const MAX_DEPTH = 6;

/** Parses `a=1&b[c]=2&d[0][e]=3&f[]=4`. A list is a branch with its indexes as keys. */
export function parseForm(text: string): Params {
  const root = newBranch();
  for (const [key, value] of new URLSearchParams(text)) {
    const match = KEY.exec(key);
    if (!match) throw invalidRequest(`Invalid parameter name: ${key}`, 'parameter_unknown', key);
    // PostgreSQL cannot store null bytes.
    if (key.includes('\0') || value.includes('\0')) throw invalidRequest('Invalid null byte', undefined, key);
    const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '');
    const path = [match[1] ?? '', ...inner];
    if (path.length > MAX_DEPTH) throw invalidRequest(`Too deeply nested: ${key}`, undefined, key);
    setValue(root, path, value);
  }
  return new Params(root);
}

/** Without a prototype, so that `__proto__` is an ordinary key. */
function newBranch(): Branch {
  return Object.create(null);
}

function setValue(root: Branch, path: string[], value: string): void {
  const steps = [...path];
  const last = steps.pop() ?? '';
  let branch = root;
  for (const step of steps) {
    const key = resolveKey(branch, step);
    const next = branch[key];
    const child = typeof next === 'object' ? next : newBranch();
    branch[key] = child;
    branch = child;
  }
  branch[resolveKey(branch, last)] = value;
}

/** `f[]` appends to f. */
function resolveKey(branch: Branch, step: string): string {
  return step === '' ? String(Object.keys(branch).length) : step;
}

/** The parameters of a request. Its methods throw Stripe's errors for invalid values. */
export class Params {
  readonly #branch: Branch;
  readonly #path: string;

  constructor(branch: Branch = newBranch(), path = '') {
    this.#branch = branch;
    this.#path = path;
  }

  #name(key: string): string {
    return this.#path ? `${this.#path}[${key}]` : key;
  }

  has(key: string): boolean {
    return key in this.#branch;
  }

  /** Undefined if absent or empty, as in Stripe's API. */
  text(key: string): string | undefined {
    const value = this.#branch[key];
    if (typeof value === 'object')
      throw invalidRequest(`Invalid string: ${this.#name(key)}`, undefined, this.#name(key));
    return value === '' ? undefined : value;
  }

  required(key: string): string {
    const value = this.text(key);
    if (value !== undefined) return value;
    const name = this.#name(key);
    throw invalidRequest(`Missing required param: ${name}.`, 'parameter_missing', name);
  }

  integer(key: string): number | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    throw invalidRequest(`Invalid integer: ${value}`, 'parameter_invalid_integer', this.#name(key));
  }

  requiredInteger(key: string): number {
    this.required(key);
    return this.integer(key) ?? 0;
  }

  boolean(key: string): boolean {
    const value = this.text(key);
    if (value === undefined || value === 'false') return false;
    if (value === 'true') return true;
    throw invalidRequest(`Invalid boolean: ${value}`, undefined, this.#name(key));
  }

  nested(key: string): Params {
    const value = this.#branch[key];
    return new Params(typeof value === 'object' ? value : newBranch(), this.#name(key));
  }

  /** The elements of a list of objects. */
  children(key: string): Params[] {
    const list = this.nested(key);
    return Object.keys(list.#branch).map((index) => list.nested(index));
  }

  /** The elements of a list of strings. */
  list(key: string): string[] {
    const value = this.#branch[key];
    if (typeof value !== 'object') return value ? [value] : [];
    return Object.values(value).filter((element) => typeof element === 'string');
  }

  /**
   * Merges `metadata`: an empty value deletes its name, an empty `metadata` deletes all of them.
   */
  merged(key: string, before: Record<string, string> = {}): Record<string, string> {
    if (this.#branch[key] === '') return {};
    const merged = { ...before };
    const value = this.#branch[key];
    if (typeof value !== 'object') return merged;
    for (const [name, text] of Object.entries(value)) {
      if (typeof text !== 'string') throw invalidRequest(`Invalid string: ${this.#name(key)}[${name}]`);
      if (text === '') delete merged[name];
      else merged[name] = text;
    }
    return merged;
  }
}

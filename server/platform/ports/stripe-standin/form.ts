import { invalidRequest } from './errors';

type Tree = string | Branch;
interface Branch {
  [key: string]: Tree;
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const MAX_DEPTH = 6;

/** Reads `a=1&b[c]=2&d[0][e]=3&f[]=4`: lists are branches whose keys are their indexes. */
export function parseForm(text: string): Params {
  const root = newBranch();
  for (const [key, value] of new URLSearchParams(text)) {
    const match = KEY.exec(key);
    if (!match) throw invalidRequest(`Invalid parameter name: ${key}`, 'parameter_unknown', key);
    // Postgres cannot store it.
    if (key.includes('\0') || value.includes('\0')) throw invalidRequest('Invalid null byte', undefined, key);
    const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '');
    const path = [match[1] ?? '', ...inner];
    if (path.length > MAX_DEPTH) throw invalidRequest(`Too deeply nested: ${key}`, undefined, key);
    plant(root, path, value);
  }
  return new Params(root);
}

/** Without a prototype: `__proto__` is a key like any other. */
function newBranch(): Branch {
  return Object.create(null);
}

function plant(root: Branch, path: string[], value: string): void {
  const steps = [...path];
  const last = steps.pop() ?? '';
  let branch = root;
  for (const step of steps) {
    const key = keyIn(branch, step);
    const next = branch[key];
    const child = typeof next === 'object' ? next : newBranch();
    branch[key] = child;
    branch = child;
  }
  branch[keyIn(branch, last)] = value;
}

/** `f[]` is the next index of f. */
function keyIn(branch: Branch, step: string): string {
  return step === '' ? String(Object.keys(branch).length) : step;
}

/** The parameters of a request; what is asked for and wrong is refused in Stripe's words. */
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

  /** Empty is absent, as Stripe reads it. */
  text(key: string): string | undefined {
    const value = this.#branch[key];
    if (typeof value === 'object')
      throw invalidRequest(`Invalid string: ${this.#name(key)}`, undefined, this.#name(key));
    return value === '' ? undefined : value;
  }

  need(key: string): string {
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

  needInteger(key: string): number {
    this.need(key);
    return this.integer(key) ?? 0;
  }

  flag(key: string): boolean {
    const value = this.text(key);
    if (value === undefined || value === 'false') return false;
    if (value === 'true') return true;
    throw invalidRequest(`Invalid boolean: ${value}`, undefined, this.#name(key));
  }

  under(key: string): Params {
    const value = this.#branch[key];
    return new Params(typeof value === 'object' ? value : newBranch(), this.#name(key));
  }

  /** Every element of a list of objects, in order. */
  children(key: string): Params[] {
    const list = this.under(key);
    return Object.keys(list.#branch).map((index) => list.under(index));
  }

  /** A list of texts. */
  list(key: string): string[] {
    const value = this.#branch[key];
    if (typeof value !== 'object') return value ? [value] : [];
    return Object.values(value).filter((element) => typeof element === 'string');
  }

  /** What the names become: an empty value takes its name away, an empty `metadata` all of them. */
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

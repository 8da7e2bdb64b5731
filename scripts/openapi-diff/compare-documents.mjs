// Finds changes of the OpenAPI document that break clients of the previous one (contract section
// 9).
import { isDeepStrictEqual } from 'node:util';
import { SchemaComparison } from './compare-schemas.mjs';

/**
 * @typedef {import('./compare-schemas.mjs').Json} Json
 * @typedef {import('./compare-schemas.mjs').Found} Found
 * @typedef {import('./compare-schemas.mjs').Direction} Direction
 */

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const DOWN = /** @type {Direction} */ ('response');

/**
 * @param {Json} before the released document
 * @param {Json} after
 * @param {Date} [now] operations whose `x-sunset` is earlier may be removed
 * @returns {Found} one line per change, starting with its place
 */
export function compareDocuments(before, after, now = new Date()) {
  return new DocumentComparison(before, after, now).compare();
}

class DocumentComparison {
  /** @type {Found} */
  #found = { breaking: [], compatible: [] };
  #before;
  #after;
  #now;
  #schemas;

  /** @param {Json} before @param {Json} after @param {Date} now */
  constructor(before, after, now) {
    this.#before = before;
    this.#after = after;
    this.#now = now;
    this.#schemas = new SchemaComparison(
      { resolve: (value) => resolve(before, value) },
      { resolve: (value) => resolve(after, value) },
    );
  }

  compare() {
    const [old, now] = [listOperations(this.#before), listOperations(this.#after)];
    for (const [name, operation] of old) {
      const kept = now.get(name);
      if (kept) this.#compareOperations(operation, kept, name);
      else if (this.#isOver(operation)) this.#fine(`${name}: is gone, after its sunset`);
      else this.#breaks(`${name}: is gone`);
    }
    for (const name of now.keys()) if (!old.has(name)) this.#fine(`${name}: is new`);
    this.#compareSchemes();
    return this.#found;
  }

  /** @param {string} line */
  #breaks(line) {
    this.#found.breaking.push(line);
  }

  /** @param {string} line */
  #fine(line) {
    this.#found.compatible.push(line);
  }

  /** @param {Json} operation */
  #isOver(operation) {
    return operation.deprecated === true && new Date(operation['x-sunset']) < this.#now;
  }

  /** @param {Json} before @param {Json} after @param {string} at */
  #compareOperations(before, after, at) {
    if (before.operationId !== after.operationId)
      this.#breaks(
        `${at}: its operationId changed from ${before.operationId} to ${after.operationId}; clients name functions by it`,
      );
    if (after.deprecated && !before.deprecated) this.#fine(`${at}: is deprecated`);
    this.#compareSecurity(before, after, at);
    this.#compareParameters(before, after, at);
    this.#compareBodies(before, after, at);
    this.#compareResponses(before, after, at);
  }

  /**
   * Each accepted combination must remain so. @param {Json} before @param {Json} after @param
   * {string} at
   */
  #compareSecurity(before, after, at) {
    const old = listSecurity(before, this.#before);
    const now = listSecurity(after, this.#after);
    for (const way of old)
      if (!now.some((other) => other.every((scheme) => way.includes(scheme))))
        this.#breaks(
          `${at}: ${way.length === 0 ? 'required no key before' : `no longer accepts ${way.join(' and ')}`}`,
        );
    if (!isDeepStrictEqual(old, now)) this.#fine(`${at}: its security schemes have changed`);
  }

  /** @param {Json} before @param {Json} after @param {string} at */
  #compareParameters(before, after, at) {
    const [old, now] = [listParameters(before, this.#before), listParameters(after, this.#after)];
    for (const [name, parameter] of old) {
      const kept = now.get(name);
      if (!kept) {
        this.#breaks(`${at} ${name}: is gone`);
        continue;
      }
      if (kept.required && !parameter.required) this.#breaks(`${at} ${name}: was optional, is required`);
      for (const how of ['style', 'explode'])
        if (parameter[how] !== kept[how]) this.#breaks(`${at} ${name}: its ${how} has changed`);
      this.#compareSchemas(parameter.schema, kept.schema, 'request', `${at} ${name}`);
    }
    for (const [name, { required }] of now)
      if (!old.has(name) && required) this.#breaks(`${at} ${name}: is new and required`);
      else if (!old.has(name)) this.#fine(`${at} ${name}: is new`);
  }

  /** @param {Json} before @param {Json} after @param {string} at */
  #compareBodies(before, after, at) {
    const old = resolve(this.#before, before.requestBody);
    const now = resolve(this.#after, after.requestBody);
    if (now?.required && !old?.required)
      this.#breaks(`${at} body: ${old ? 'was optional, is required' : 'is new and required'}`);
    else if (now && !old) this.#fine(`${at} body: is new`);
    if (old) this.#compareContents(old, now ?? {}, 'request', `${at} body`);
  }

  /** @param {Json} before @param {Json} after @param {string} at */
  #compareResponses(before, after, at) {
    const [old, now] = [before.responses, after.responses];
    for (const status of Object.keys(old)) {
      const where = `${at} ${status}`;
      const [one, two] = [resolve(this.#before, old[status]), resolve(this.#after, now[status])];
      if (!two) {
        this.#breaks(`${where}: is gone`);
        continue;
      }
      this.#compareHeaders(one.headers ?? {}, two.headers ?? {}, where);
      this.#compareContents(one, two, DOWN, where);
      if (Number(status) >= 400) this.#compareCodes(one, two, where);
    }
    for (const status of Object.keys(now)) {
      if (Object.hasOwn(old, status)) continue;
      // Clients handle unknown errors like other errors, but not unknown successes.
      if (status.startsWith('2')) this.#breaks(`${at} ${status}: is a new success status`);
      else this.#fine(`${at} ${status}: is new`);
    }
  }

  /**
   * Compares error codes, which clients branch on. They are the names of the examples.
   * @param {Json} before @param {Json} after @param {string} at
   */
  #compareCodes(before, after, at) {
    const [old, now] = [listErrorCodes(before), listErrorCodes(after)];
    for (const code of old) if (!now.includes(code)) this.#breaks(`${at}: the code ${code} is gone`);
    for (const code of now) if (!old.includes(code)) this.#fine(`${at}: the code ${code} is new`);
  }

  /** @param {Json} before @param {Json} after @param {string} at */
  #compareHeaders(before, after, at) {
    const names = new Map(Object.keys(after).map((name) => [name.toLowerCase(), name]));
    for (const name of Object.keys(before)) {
      const kept = names.get(name.toLowerCase());
      if (!kept) {
        this.#breaks(`${at} header ${name}: is gone`);
        continue;
      }
      const [old, now] = [resolve(this.#before, before[name]), resolve(this.#after, after[kept])];
      this.#compareSchemas(old.schema, now.schema, DOWN, `${at} header ${name}`);
    }
    const old = new Set(Object.keys(before).map((name) => name.toLowerCase()));
    for (const [lower, name] of names) if (!old.has(lower)) this.#fine(`${at} header ${name}: is new`);
  }

  /** @param {Json} before @param {Json} after @param {Direction} direction @param {string} at */
  #compareContents(before, after, direction, at) {
    const [old, now] = [before.content ?? {}, after.content ?? {}];
    for (const type of Object.keys(old))
      if (!Object.hasOwn(now, type)) this.#breaks(`${at}: ${type} is gone`);
      else
        this.#compareSchemas(
          old[type].schema,
          now[type].schema,
          direction,
          Object.keys(old).length > 1 ? `${at} ${type}` : at,
        );
    for (const type of Object.keys(now)) if (!Object.hasOwn(old, type)) this.#fine(`${at}: ${type} is new`);
  }

  /** @param {any} before @param {any} after @param {Direction} direction @param {string} at */
  #compareSchemas(before, after, direction, at) {
    const { breaking, compatible } = this.#schemas.compare(before, after, direction, at);
    this.#found.breaking.push(...breaking);
    this.#found.compatible.push(...compatible);
  }

  #compareSchemes() {
    const [old, now] = [this.#before, this.#after].map(
      (document) => document.components?.securitySchemes ?? {},
    );
    for (const name of Object.keys(old)) {
      const { description: _, bearerFormat: __, ...one } = old[name];
      const { description: ___, bearerFormat: ____, ...two } = now[name] ?? {};
      if (!isDeepStrictEqual(one, two)) this.#breaks(`security scheme ${name}: has changed`);
    }
  }
}

/**
 * @param {Json} document @returns {Map<string, Json>} by `GET /v1/x`, with the path's parameters
 */
function listOperations({ paths }) {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => {
        const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
        return [`${method.toUpperCase()} ${path}`, Object.assign({}, item[method], { parameters })];
      }),
    ),
  );
}

/** @param {Json} operation @param {Json} document @returns {Map<string, Json>} */
function listParameters({ parameters }, document) {
  const list = /** @type {Json[]} */ (parameters.map((/** @type {Json} */ each) => resolve(document, each)));
  return new Map(
    list.map((each) => [`${each.in} ${each.in === 'header' ? each.name.toLowerCase() : each.name}`, each]),
  );
}

/**
 * @param {Json} operation @param {Json} document
 * @returns {string[][]} the schemes of each alternative; one empty list if none is required
 */
function listSecurity({ security }, document) {
  const ways = /** @type {Json[]} */ (security ?? document.security ?? []);
  return ways.length === 0 ? [[]] : ways.map((way) => Object.keys(way));
}

/** @param {Json} response @returns {string[]} */
function listErrorCodes({ content }) {
  return Object.keys(content?.['application/json']?.examples ?? {});
}

/** @param {Json} document @param {any} value @returns {any} */
function resolve(document, value) {
  let found = value;
  for (let steps = 0; typeof found?.$ref === 'string'; steps++) {
    if (!found.$ref.startsWith('#/') || steps > 20) throw new Error(`${found.$ref} cannot be resolved`);
    const parts = found.$ref
      .slice(2)
      .split('/')
      .map((/** @type {string} */ part) =>
        decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'),
      );
    found = parts.reduce((/** @type {any} */ at, /** @type {string} */ part) => at?.[part], document);
    if (found === undefined) throw new Error(`${value.$ref} cannot be resolved`);
  }
  return found;
}

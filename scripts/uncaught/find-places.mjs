// Finds places that may throw outside a `try` (docs/decisions/0039). Parses one file as TypeScript,
// without type information.
import ts from 'typescript-5';
import { parseSource } from '../source-rules/parse-source.mjs';
import { isCaught, isSafe } from './is-safe.mjs';
import { getLastName, getName, makesEmitter, readCode } from './read-code.mjs';

/** @typedef {import('typescript-5').Node} Node */
/** @typedef {{ rule: string, line: number, text: string }} Place */

const LISTENS = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener']);
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'nextTick']);
/** A comment that states why a place is allowed. */
const REASON = /\/\/ Cannot throw: \S.{10,}/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {Place[]}
 */
export function findPlaces(path, text) {
  const source = parseSource(path, text);
  const lines = text.split('\n');
  const code = readCode(source);
  /** @type {Map<number, Place | null>} unused reasons by line; null once used */
  const reasons = new Map();
  lines.forEach((line, index) => {
    if (REASON.test(line))
      reasons.set(index + 1, { rule: 'reason', line: index + 1, text: 'No place here needs this reason.' });
  });
  /** @type {Place[]} */
  const places = [];
  /** @param {string} rule @param {Node} node */
  const add = (rule, node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const reason = [line, line - 1, line - 2].find((at) => reasons.has(at));
    if (reason !== undefined) reasons.set(reason, null);
    else places.push({ rule, line, text: node.getText(source).replace(/\s+/g, ' ').slice(0, 90) });
  };
  /** @param {Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const name = getName(node.expression);
      if (name === 'JSON.parse' && !isInTry(node)) add('json', node);
      if (makesEmitter(node, name, code) && !hasErrorListener(node, source)) add('listener', node);
    }
    if (ts.isCallExpression(node))
      for (const callback of listCallbacks(node, code))
        if (!(isMessage(node) ? isCaught(callback, code) : isSafe(callback, code))) add('callback', node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const unused of reasons.values()) if (unused) places.push(unused);
  return places.sort((a, b) => a.line - b.line);
}

/**
 * Whether it is in the block of a `try`, without a function in between that could run later.
 * @param {import('typescript-5').Node} node
 */
function isInTry(node) {
  for (let at = node; at.parent; at = at.parent) {
    if (ts.isTryStatement(at.parent) && at.parent.tryBlock === at && at.parent.catchClause) return true;
    if (ts.isFunctionLike(at.parent)) return false;
  }
  return false;
}

/**
 * Whether it, or the variable that stores it, is passed to `withErrorListener` or `pipeline`, or
 * gets an error listener with `.on`.
 * @param {import('typescript-5').Node} made
 * @param {import('typescript-5').SourceFile} source
 */
function hasErrorListener(made, source) {
  let at = made;
  while (at.parent && !ts.isStatement(at.parent) && !ts.isFunctionLike(at.parent)) {
    at = at.parent;
    if (!ts.isCallExpression(at)) continue;
    const name = getName(at.expression);
    if (name === 'withErrorListener' || isPipeline(at) || isErrorListener(at)) return true;
  }
  const name = findVariable(made);
  if (name === null) return false;
  let found = false;
  /** @param {import('typescript-5').Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const called = getName(node.expression);
      const isGiven =
        (called === 'withErrorListener' || isPipeline(node)) &&
        node.arguments.some((each) => each.getText(source) === name);
      if (isGiven || (isErrorListener(node) && node.expression.getText(source).startsWith(`${name}.`)))
        found = true;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * A `pipeline` that starts at once: while it awaits an argument, its streams have no listener.
 * @param {import('typescript-5').CallExpression} call
 */
function isPipeline(call) {
  return getName(call.expression) === 'pipeline' && !call.arguments.some(ts.isAwaitExpression);
}

/**
 * `x.on('error', …)`, but not `once`: a second error would have no listener.
 * @param {import('typescript-5').CallExpression} call
 */
function isErrorListener(call) {
  const [event] = call.arguments;
  return (
    getLastName(getName(call.expression)) === 'on' &&
    event !== undefined &&
    ts.isStringLiteral(event) &&
    event.text === 'error'
  );
}

/**
 * The variable or field that stores it.
 * @param {import('typescript-5').Node} made
 * @returns {string | null}
 */
function findVariable(made) {
  let at = made;
  while (
    ts.isConditionalExpression(at.parent) ||
    ts.isBinaryExpression(at.parent) ||
    ts.isParenthesizedExpression(at.parent)
  ) {
    at = at.parent;
    if (ts.isBinaryExpression(at) && /=$/.test(at.operatorToken.getText())) return at.left.getText();
  }
  return ts.isVariableDeclaration(at.parent) ? at.parent.name.getText() : null;
}

/**
 * The callbacks that run later, outside the caller's `try`.
 * @param {import('typescript-5').CallExpression} node
 * @param {import('./read-code.mjs').Code} code
 * @returns {Node[]}
 */
function listCallbacks(node, code) {
  const name = getName(node.expression);
  const last = getLastName(name);
  const [first, second] = node.arguments;
  // setTimeout of a socket or response takes the time first. node:timers/promises has no callbacks.
  if (last === 'setTimeout' && second && ts.isFunctionLike(second)) return [second];
  if (TIMERS.has(last) && first && isFunction(first)) return [first];
  // Notices (server/core/notices/notices.ts) calls its listeners in a `try`.
  if (name === 'notices.on' || name === 'this.on') return [];
  if (LISTENS.has(last) && second && ts.isPropertyAccessExpression(node.expression)) return [second];
  if (code.fromNode.get(name) === 'createServer') return node.arguments.filter(isFunction);
  return [];
}

/** @param {import('typescript-5').CallExpression} node */
function isMessage(node) {
  const [event] = node.arguments;
  return event !== undefined && ts.isStringLiteral(event) && event.text === 'message';
}

/** @param {Node} node */
function isFunction(node) {
  return (
    ts.isFunctionLike(node) ||
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isCallExpression(node)
  );
}

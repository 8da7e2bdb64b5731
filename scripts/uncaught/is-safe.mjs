// Decides whether a function cannot throw, as far as the syntax of its file shows.
import ts from 'typescript-5';
import { findDeclaration, getLastName, getName } from './read-code.mjs';

/** @typedef {import('typescript-5').Node} Node */
/** @typedef {import('./read-code.mjs').Code} Code */

/**
 * Calls that never throw, whatever their arguments. The `log` methods are ours: they cut and
 * redact.
 */
const HARMLESS = new Set(
  (
    'abort resolve reject done destroy kill disconnect pause resume unref ref off end exit ' +
    'clearTimeout clearInterval setTimeout setInterval setImmediate Boolean Number String Error ' +
    'add delete clear push pop shift splice has get set keys values entries slice includes indexOf startsWith ' +
    'now min max toString concat byteLength listenerCount removeEventListener debug info warn error fatal log once on ' +
    'closeAllConnections withErrorListener'
  ).split(' '),
);
const MAX_CALLS_DEEP = 5;

/**
 * @param {Node} node
 * @param {Code} code
 * @param {number} [depth]
 * @returns {boolean} whether it cannot throw, as far as the syntax shows
 */
export function isSafe(node, code, depth = 0) {
  if (depth > MAX_CALLS_DEEP) return false;
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node))
    return (
      HARMLESS.has(getLastName(getName(node))) || isSafeFunction(findDeclaration(node, code), code, depth)
    );
  if (ts.isFunctionLike(node)) return isSafeBody(node, code, depth);
  if (isGuarded(node, code)) return true;
  return cannotRaise(node, code, depth);
}

/** @param {Node} node @param {Code} code @param {number} depth */
function isSafeBody(node, code, depth) {
  const { body } = /** @type {{ body?: Node }} */ (/** @type {unknown} */ (node));
  // An async function rejects instead, which is logged and ends nothing
  // (server/main/boot/last-resort.ts).
  if (isAsync(node)) return true;
  return body !== undefined && cannotRaise(body, code, depth);
}

/** @param {Node} node @param {Code} code @param {number} depth @returns {boolean} */
function cannotRaise(node, code, depth) {
  if (ts.isTryStatement(node))
    return (
      node.catchClause !== undefined &&
      cannotRaise(node.catchClause.block, code, depth) &&
      (!node.finallyBlock || cannotRaise(node.finallyBlock, code, depth))
    );
  // Created here, but called elsewhere.
  if (ts.isFunctionLike(node)) return true;
  if (ts.isThrowStatement(node)) return false;
  if (ts.isNewExpression(node))
    return /^(Error|Set|Map|AbortController|\w+Error)$/.test(getName(node.expression));
  if (ts.isCallExpression(node)) {
    if (endsInCatch(node)) return true;
    const isHarmless = HARMLESS.has(getLastName(getName(node.expression)));
    if (!isHarmless && !isSafeFunction(findDeclaration(node.expression, code), code, depth + 1)) return false;
  }
  let safe = true;
  ts.forEachChild(node, (child) => {
    if (!cannotRaise(child, code, depth)) safe = false;
  });
  return safe;
}

/**
 * `guarded(…)`, or a function of this file that returns it.
 * @param {Node} node
 * @param {Code} code
 * @returns {boolean}
 */
function isGuarded(node, code) {
  if (!ts.isCallExpression(node)) return false;
  if (getName(node.expression) === 'guarded') return true;
  const known = findDeclaration(node.expression, code);
  return known !== undefined && ts.isArrowFunction(known) && isGuarded(known.body, code);
}

/** @param {Node | undefined} known @param {Code} code @param {number} depth @returns {boolean} */
function isSafeFunction(known, code, depth) {
  if (!known || depth > MAX_CALLS_DEEP) return false;
  return isGuarded(known, code) || (ts.isFunctionLike(known) && isSafeBody(known, code, depth));
}

/**
 * For messages of another process, where even reading a field needs a `try`.
 * @param {Node} node
 * @param {Code} code
 * @returns {boolean}
 */
export function isCaught(node, code) {
  if (isGuarded(node, code)) return true;
  const known = ts.isFunctionLike(node) ? node : findDeclaration(node, code);
  if (!known || !ts.isFunctionLike(known)) return known !== undefined && isGuarded(known, code);
  const { body } = /** @type {{ body?: Node }} */ (/** @type {unknown} */ (known));
  return body !== undefined && ts.isBlock(body) && body.statements.every(ts.isTryStatement);
}

/** @param {Node} node */
function isAsync(node) {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
  );
}

/** @param {import('typescript-5').Expression} expression */
function endsInCatch(expression) {
  if (!ts.isCallExpression(expression)) return false;
  const name = getLastName(getName(expression.expression));
  if (name === 'catch') return true;
  if (name === 'then') return expression.arguments.length === 2;
  if (name !== 'finally' || !ts.isPropertyAccessExpression(expression.expression)) return false;
  return endsInCatch(expression.expression.expression);
}

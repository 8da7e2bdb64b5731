// Finds places that may throw outside a `try` (docs/decisions/0039). Parses one file as TypeScript,
// without type information.
import ts from 'typescript-5';

/** @typedef {{ rule: string, line: number, text: string }} Place */

/** Node's emitter classes: an 'error' event without a listener ends the process. */
const EMITTERS = new Set([
  'Readable',
  'Writable',
  'Duplex',
  'Transform',
  'PassThrough',
  'Socket',
  'TLSSocket',
]);
/** Node's functions that return an emitter. */
const MAKERS = new Set(
  (
    'createServer createConnection connect request get spawn fork createGzip createGunzip createInflate createDeflate ' +
    'createBrotliDecompress createBrotliCompress createReadStream createWriteStream'
  ).split(' '),
);
const LISTENS = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener']);
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'nextTick']);
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
/** A comment that states why a place is allowed. */
const REASON = /\/\/ Cannot throw: \S.{10,}/;
const MAX_CALLS_DEEP = 5;

/**
 * @param {string} path
 * @param {string} text
 * @returns {Place[]}
 */
export function findPlaces(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
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
      if (code.makesEmitter(node, name) && !hasErrorListener(node, source)) add('listener', node);
    }
    if (ts.isCallExpression(node))
      for (const callback of listCallbacks(node, code))
        if (!(isMessage(node) ? code.isCaught(callback) : code.isSafe(callback))) add('callback', node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const unused of reasons.values()) if (unused) places.push(unused);
  return places.sort((a, b) => a.line - b.line);
}

/**
 * Reads the functions that a file declares, and its imports from Node.
 * @param {import('typescript-5').SourceFile} source
 */
function readCode(source) {
  /** @type {Map<string, Node>} */
  const variables = new Map();
  /** @type {Map<string, Node>} */
  const members = new Map();
  /** @type {Map<string, string>} */
  const fromNode = new Map();
  /** @param {Node} node */
  const read = (node) => {
    if (ts.isImportDeclaration(node) && /^['"]node:/.test(node.moduleSpecifier.getText(source))) {
      const named = node.importClause?.namedBindings;
      if (named && ts.isNamedImports(named))
        for (const each of named.elements)
          fromNode.set(each.name.text, (each.propertyName ?? each.name).text);
    }
    if (ts.isFunctionDeclaration(node) && node.name) variables.set(node.name.text, node);
    if (ts.isMethodDeclaration(node) || ts.isPropertyDeclaration(node)) {
      const body = ts.isPropertyDeclaration(node) ? node.initializer : node;
      if (body) members.set(node.name.getText(source), body);
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      variables.set(node.name.text, node.initializer);
    ts.forEachChild(node, read);
  };
  read(source);

  /**
   * @param {Node} node
   * @param {number} [depth]
   * @returns {boolean} whether it cannot throw, as far as the syntax shows
   */
  const isSafe = (node, depth = 0) => {
    if (depth > MAX_CALLS_DEEP) return false;
    if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node))
      return HARMLESS.has(getLastName(getName(node))) || isSafeFunction(findDeclaration(node), depth);
    if (ts.isFunctionLike(node)) return bodySafe(node, depth);
    if (isGuarded(node)) return true;
    return cannotRaise(node, depth);
  };
  /** @param {Node} node @param {number} depth */
  const bodySafe = (node, depth) => {
    const { body } = /** @type {{ body?: Node }} */ (/** @type {unknown} */ (node));
    // An async function rejects instead, which is logged and ends nothing
    // (server/main/boot/last-resort.ts).
    if (isAsync(node)) return true;
    return body !== undefined && cannotRaise(body, depth);
  };
  /** @param {Node} node @param {number} depth @returns {boolean} */
  const cannotRaise = (node, depth) => {
    if (ts.isTryStatement(node))
      return (
        node.catchClause !== undefined &&
        cannotRaise(node.catchClause.block, depth) &&
        (!node.finallyBlock || cannotRaise(node.finallyBlock, depth))
      );
    // Created here, but called elsewhere.
    if (ts.isFunctionLike(node)) return true;
    if (ts.isThrowStatement(node)) return false;
    if (ts.isNewExpression(node))
      return /^(Error|Set|Map|AbortController|\w+Error)$/.test(getName(node.expression));
    if (ts.isCallExpression(node)) {
      if (endsInCatch(node)) return true;
      const isHarmless = HARMLESS.has(getLastName(getName(node.expression)));
      if (!isHarmless && !isSafeFunction(findDeclaration(node.expression), depth + 1)) return false;
    }
    let safe = true;
    ts.forEachChild(node, (child) => {
      if (!cannotRaise(child, depth)) safe = false;
    });
    return safe;
  };
  /** @param {Node} node a called or passed function: its declaration in this file */
  const findDeclaration = (node) => {
    if (ts.isIdentifier(node)) return variables.get(node.text);
    const isOwn = ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword;
    return isOwn ? members.get(node.name.text) : undefined;
  };
  /**
   * `guarded(…)`, or a function of this file that returns it.
   * @param {Node} node
   * @returns {boolean}
   */
  const isGuarded = (node) => {
    if (!ts.isCallExpression(node)) return false;
    if (getName(node.expression) === 'guarded') return true;
    const known = findDeclaration(node.expression);
    return known !== undefined && ts.isArrowFunction(known) && isGuarded(known.body);
  };
  /** @param {Node | undefined} known @param {number} depth @returns {boolean} */
  const isSafeFunction = (known, depth) => {
    if (!known || depth > MAX_CALLS_DEEP) return false;
    return isGuarded(known) || (ts.isFunctionLike(known) && bodySafe(known, depth));
  };
  return {
    isSafe,
    /**
     * For messages of another process, where even reading a field needs a `try`.
     * @param {Node} node
     * @returns {boolean}
     */
    isCaught(node) {
      if (isGuarded(node)) return true;
      const known = ts.isFunctionLike(node) ? node : findDeclaration(node);
      if (!known || !ts.isFunctionLike(known)) return known !== undefined && isGuarded(known);
      const { body } = /** @type {{ body?: Node }} */ (/** @type {unknown} */ (known));
      return body !== undefined && ts.isBlock(body) && body.statements.every(ts.isTryStatement);
    },
    /**
     * @param {import('typescript-5').CallExpression | import('typescript-5').NewExpression} node
     * @param {string} name
     */
    makesEmitter(node, name) {
      const imported = fromNode.get(name);
      if (ts.isNewExpression(node)) return imported !== undefined && EMITTERS.has(imported);
      return /^Readable\.from(Web)?$/.test(name) || (imported !== undefined && MAKERS.has(imported));
    },
    /** @param {string} name */
    importedAs: (name) => fromNode.get(name),
  };
}

/** @typedef {import('typescript-5').Node} Node */

/** @param {Node} node */
function isAsync(node) {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
  );
}

/**
 * @param {import('typescript-5').Expression} expression
 * @returns {string} `a`, `b.c`: the last two names
 */
function getName(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (!ts.isPropertyAccessExpression(expression)) return '';
  const { expression: owner, name } = expression;
  if (owner.kind === ts.SyntaxKind.ThisKeyword) return `this.${name.text}`;
  if (ts.isIdentifier(owner)) return `${owner.text}.${name.text}`;
  return ts.isPropertyAccessExpression(owner) ? `${owner.name.text}.${name.text}` : name.text;
}

/** @param {string} name */
const getLastName = (name) => name.slice(name.lastIndexOf('.') + 1);

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
  const look = (node) => {
    if (ts.isCallExpression(node)) {
      const called = getName(node.expression);
      const isGiven =
        (called === 'withErrorListener' || isPipeline(node)) &&
        node.arguments.some((each) => each.getText(source) === name);
      if (isGiven || (isErrorListener(node) && node.expression.getText(source).startsWith(`${name}.`)))
        found = true;
    }
    ts.forEachChild(node, look);
  };
  look(source);
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
 * @param {ReturnType<typeof readCode>} code
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
  if (code.importedAs(name) === 'createServer') return node.arguments.filter(isFunction);
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

/** @param {import('typescript-5').Expression} expression */
function endsInCatch(expression) {
  if (!ts.isCallExpression(expression)) return false;
  const name = getLastName(getName(expression.expression));
  if (name === 'catch') return true;
  if (name === 'then') return expression.arguments.length === 2;
  if (name !== 'finally' || !ts.isPropertyAccessExpression(expression.expression)) return false;
  return endsInCatch(expression.expression.expression);
}

// Reads what a file declares and imports from Node, for the search of places that may throw.
import ts from 'typescript-5';

/** @typedef {import('typescript-5').Node} Node */
/**
 * @typedef {object} Code
 * @property {Map<string, Node>} variables functions and values by name
 * @property {Map<string, Node>} members methods and initial values of fields by name
 * @property {Map<string, string>} fromNode what is imported from Node, by local name
 */

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

/**
 * @param {import('typescript-5').SourceFile} source
 * @returns {Code}
 */
export function readCode(source) {
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
  return { variables, members, fromNode };
}

/**
 * Finds the declaration in this file of a called or passed function.
 * @param {Node} node
 * @param {Code} code
 */
export function findDeclaration(node, { variables, members }) {
  if (ts.isIdentifier(node)) return variables.get(node.text);
  const isOwn = ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword;
  return isOwn ? members.get(node.name.text) : undefined;
}

/**
 * Whether it creates an emitter of Node.
 * @param {import('typescript-5').CallExpression | import('typescript-5').NewExpression} node
 * @param {string} name
 * @param {Code} code
 */
export function makesEmitter(node, name, { fromNode }) {
  const imported = fromNode.get(name);
  if (ts.isNewExpression(node)) return imported !== undefined && EMITTERS.has(imported);
  return /^Readable\.from(Web)?$/.test(name) || (imported !== undefined && MAKERS.has(imported));
}

/**
 * @param {import('typescript-5').Expression} expression
 * @returns {string} `a`, `b.c`: the last two names
 */
export function getName(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (!ts.isPropertyAccessExpression(expression)) return '';
  const { expression: owner, name } = expression;
  if (owner.kind === ts.SyntaxKind.ThisKeyword) return `this.${name.text}`;
  if (ts.isIdentifier(owner)) return `${owner.text}.${name.text}`;
  return ts.isPropertyAccessExpression(owner) ? `${owner.name.text}.${name.text}` : name.text;
}

/** @param {string} name */
export const getLastName = (name) => name.slice(name.lastIndexOf('.') + 1);

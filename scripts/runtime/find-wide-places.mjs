// Finds parameters typed `Runtime` of functions that use a few of its fields. It parses one file,
// so it skips a function that passes the value on.
import ts from 'typescript-5';
import { parseSource } from '../source-rules/parse-source.mjs';

/** @typedef {import('typescript-5').Node} Node */

/** A function that uses more may take `Runtime`. */
const MOST_FIELDS = 5;

/**
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, fields: string[] }[]}
 */
export function findWidePlaces(path, text) {
  if (!text.includes(': Runtime')) return [];
  const source = parseSource(path, text);
  /** @type {{ line: number, fields: string[] }[]} */
  const places = [];
  /** @param {Node} node */
  const visit = (node) => {
    if (ts.isParameter(node) && node.type?.getText() === 'Runtime') {
      const fields = listFields(node);
      if (fields && fields.size > 0 && fields.size <= MOST_FIELDS) {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        places.push({ line, fields: [...fields].sort() });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

/**
 * @param {import('typescript-5').ParameterDeclaration} parameter
 * @returns {Set<string> | null} null if they cannot be read here
 */
function listFields({ name, parent }) {
  const { body } = /** @type {{ body?: Node }} */ (/** @type {unknown} */ (parent));
  if (!body || ts.isArrayBindingPattern(name)) return null;
  /** @type {Set<string>} */
  const fields = new Set();
  if (ts.isObjectBindingPattern(name)) return addPattern(fields, name) ? fields : null;
  let isReadable = true;
  /** @param {Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node) && node.text === name.text && !isFieldName(node)) {
      const { parent: at } = node;
      if (ts.isPropertyAccessExpression(at)) fields.add(at.name.text);
      else isReadable &&= ts.isVariableDeclaration(at) && addPattern(fields, at.name);
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
  return isReadable ? fields : null;
}

/**
 * @param {Set<string>} fields
 * @param {import('typescript-5').BindingName} pattern
 * @returns {boolean} whether it takes single fields, not the rest
 */
function addPattern(fields, pattern) {
  if (!ts.isObjectBindingPattern(pattern)) return false;
  for (const { dotDotDotToken, propertyName, name } of pattern.elements) {
    if (dotDotDotToken) return false;
    fields.add((propertyName ?? name).getText());
  }
  return true;
}

/**
 * The `b` of `a.b` or of `{ b: 1 }`.
 * @param {import('typescript-5').Identifier} node
 */
function isFieldName(node) {
  const { parent } = node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
}

// Finds functions that are too long, from the first line of the signature to the closing brace.
import ts from 'typescript-5';
import { parseSource } from '../source-rules/parse-source.mjs';

/** @typedef {import('typescript-5').Node} Node */

/**
 * @param {string} path
 * @param {string} text
 * @param {number} maxLines
 * @returns {{ name: string, line: number, lines: number }[]} also functions that enclose others
 */
export function findLongFunctions(path, text, maxLines) {
  if (text.split('\n', maxLines + 1).length <= maxLines) return [];
  const source = parseSource(path, text);
  /** @param {number} at */
  const toLine = (at) => source.getLineAndCharacterOfPosition(at).line + 1;
  /** @type {{ name: string, line: number, lines: number }[]} */
  const found = [];
  /** @param {Node} node */
  const visit = (node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = toLine(node.getStart(source));
      const lines = toLine(node.end) - line + 1;
      if (lines > maxLines) found.push({ name: findName(node), line, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * The name of a function, or of the variable or field that stores it.
 * @param {import('typescript-5').SignatureDeclaration} node
 */
function findName({ name, parent }) {
  if (name) return name.getText();
  const isStored = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return isStored ? parent.name.getText() : 'a function';
}

// Finds refused words and long comments in one file of TypeScript, JavaScript, SQL or Markdown.
import ts from 'typescript-5';
import { parseSource } from '../source-rules/parse-source.mjs';

/** In this code they always stood for a technical term: docs/glossary.md says which. */
const REFUSED = /\b(told|tells|whoever|beside|anew|let go|strangers?|mends?)\b/i;
const MAX_COLUMNS = 100;
const MAX_INLINE_LINES = 3;

/**
 * @typedef {object} WordProblem
 * @property {number} line from 1
 * @property {string} problem
 */

/**
 * @param {string} file its name decides how it is read
 * @param {string} text
 * @returns {WordProblem[]} in the order of the lines
 */
export function findWordProblems(file, text) {
  if (file.endsWith('.md')) return findInMarkdown(text);
  if (file.endsWith('.sql')) return findInComments(text, listSqlComments(text));
  const source = parseSource(file, text);
  const comments = listComments(source, text);
  return [...findInComments(text, comments), ...findInStrings(source)].sort((a, b) => a.line - b.line);
}

/**
 * @typedef {object} Comment
 * @property {number} pos
 * @property {number} end
 * @property {boolean} inline `//` or `--`, not a block
 */

/**
 * @param {string} text
 * @param {Comment[]} comments
 * @returns {WordProblem[]}
 */
function findInComments(text, comments) {
  /** @type {WordProblem[]} */
  const problems = [];
  let run = 0;
  let lastEnd = -1;
  for (const { pos, end, inline } of comments) {
    const first = lineAt(text, pos);
    const lines = text.slice(pos, end).split('\n');
    for (const [at, content] of lines.entries()) {
      const refused = REFUSED.exec(content);
      if (refused) problems.push({ line: first + at, problem: `refused word "${refused[0]}"` });
      const columns = (at === 0 ? columnAt(text, pos) : 0) + content.length;
      const isAlone = at > 0 || text.slice(text.lastIndexOf('\n', pos) + 1, pos).trim() === '';
      // An address cannot be broken.
      if (isAlone && columns > MAX_COLUMNS && !/https?:\/\/|biome-ignore/.test(content))
        problems.push({ line: first + at, problem: `comment of ${columns} columns, at most ${MAX_COLUMNS}` });
    }
    const follows = inline && /^\n?[ \t]*$/.test(text.slice(lastEnd, pos)) && lastEnd >= 0;
    run = inline ? (follows ? run + 1 : 1) : 0;
    lastEnd = inline ? end : -1;
    if (run === MAX_INLINE_LINES + 1)
      problems.push({ line: first, problem: `inline comment of more than ${MAX_INLINE_LINES} lines` });
  }
  return problems;
}

/**
 * @param {ts.SourceFile} source
 * @returns {WordProblem[]} of messages, titles and texts of pages
 */
function findInStrings(source) {
  /** @type {WordProblem[]} */
  const problems = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (isText(node)) {
      const refused = REFUSED.exec(node.text);
      if (refused) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        problems.push({ line: line + 1, problem: `refused word "${refused[0]}" in a text` });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

/**
 * @param {ts.Node} node
 * @returns {node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.JsxText}
 */
function isText(node) {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isJsxText(node) ||
    node.kind === ts.SyntaxKind.TemplateHead ||
    node.kind === ts.SyntaxKind.TemplateMiddle ||
    node.kind === ts.SyntaxKind.TemplateTail
  );
}

/**
 * @param {string} text
 * @returns {WordProblem[]} outside of fenced blocks
 */
function findInMarkdown(text) {
  /** @type {WordProblem[]} */
  const problems = [];
  let fenced = false;
  for (const [at, content] of text.split('\n').entries()) {
    if (content.trimStart().startsWith('```')) fenced = !fenced;
    const refused = fenced ? null : REFUSED.exec(content);
    if (refused) problems.push({ line: at + 1, problem: `refused word "${refused[0]}"` });
  }
  return problems;
}

/**
 * @param {ts.SourceFile} source
 * @param {string} text
 * @returns {Comment[]}
 */
function listComments(source, text) {
  /** @type {Map<number, Comment>} */
  const found = new Map();
  /** @param {number} pos */
  const collect = (pos) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, pos) ?? []),
    ])
      found.set(range.pos, {
        pos: range.pos,
        end: range.end,
        inline: range.kind === ts.SyntaxKind.SingleLineCommentTrivia,
      });
  };
  const slashes = Array.from(text.matchAll(/\/[/*]/g), ({ index }) => index);
  /** @param {ts.Node} node whether it may contain a comment */
  const hasSlashes = (node) => {
    const next = firstAtLeast(slashes, node.getFullStart());
    return next !== undefined && next < node.getEnd();
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isJsxText(node)) return;
    collect(node.getFullStart());
    collect(node.getEnd());
    // Listing the tokens of a node scans its text again.
    if (hasSlashes(node)) for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...found.values()].sort((a, b) => a.pos - b.pos);
}

/**
 * @param {number[]} ascending
 * @param {number} least
 */
function firstAtLeast(ascending, least) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return ascending[low];
}

/**
 * @param {string} text
 * @returns {Comment[]}
 */
function listSqlComments(text) {
  return [...text.matchAll(/--[^\n]*/g)].map(({ 0: comment, index }) => ({
    pos: index,
    end: index + comment.length,
    inline: true,
  }));
}

/**
 * @param {string} text
 * @param {number} pos
 */
function lineAt(text, pos) {
  return text.slice(0, pos).split('\n').length;
}

/**
 * @param {string} text
 * @param {number} pos
 */
function columnAt(text, pos) {
  return pos - (text.lastIndexOf('\n', pos - 1) + 1);
}

import ts from 'typescript-5';

/** @type {{ path: string, text: string, source: ts.SourceFile } | undefined} */
let last;

/**
 * Parses a file. Rules that read the same file one after the other share the result.
 * @param {string} path its ending decides the language
 * @param {string} text
 * @returns {ts.SourceFile} with parents
 */
export function parseSource(path, text) {
  if (last?.path !== path || last.text !== text)
    last = { path, text, source: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
  return last.source;
}

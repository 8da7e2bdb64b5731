// Converts HTML to Markdown. Turndown does not support tables, so we add rules for them.
import TurndownService from 'turndown';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
turndown.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'form', 'button']);
turndown.addRule('data images', {
  filter: (node) => node.nodeName === 'IMG' && !/^https?:/.test(node.getAttribute('src') ?? ''),
  replacement: () => '',
});
turndown.addRule('cell', {
  filter: ['th', 'td'],
  replacement: (content) => ` ${content.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()} |`,
});
turndown.addRule('row', {
  filter: 'tr',
  replacement: (content, node) => {
    const row = `|${content}\n`;
    const table = node.parentNode?.nodeName === 'TABLE' ? node.parentNode : node.parentNode?.parentNode;
    const isFirst = /** @type {any} */ (table)?.querySelector?.('tr') === node;
    return isFirst ? `${row}|${' --- |'.repeat(cellsIn(node))}\n` : row;
  },
});
turndown.addRule('parts of a table', {
  filter: ['thead', 'tbody', 'tfoot'],
  replacement: (content) => content,
});
turndown.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });

/** @param {Node} row */
function cellsIn(row) {
  return [...row.childNodes].filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH').length;
}

/** @param {Element} element @returns {string} */
export function toMarkdown(element) {
  return turndown
    .turndown(/** @type {any} */ (element))
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

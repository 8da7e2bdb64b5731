// Runs in a worker process: pdfmake takes a second to load.
import pdfmake from 'pdfmake';
import { Glyphs } from '../../tools/document/glyphs.mjs';
import { ROBOTO } from '../../tools/sdk/roboto.mjs';

const FONTS = {
  Roboto: {
    normal: ROBOTO.regular,
    bold: ROBOTO.medium,
    italics: ROBOTO.italic,
    bolditalics: ROBOTO.mediumItalic,
  },
};
const FILES = new Set(Object.values(FONTS.Roboto));

pdfmake.setFonts(FONTS);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((/** @type {string} */ path) => FILES.has(path));

const MARGIN = 56;
/** Half of an A4 page between the margins: a flexible column would grow with its longest word. */
const PARTY_WIDTH = 229;
const SIZES = { body: 10, title: 20, small: 8.5 };
const MUTED = '#6b7280';

/**
 * Texts of one page: a receipt, an invoice or a credit note.
 * @typedef {{ name: string, address: string, vat_id: string | null }} Party
 * @typedef {{ text: string, amount: string }} Line
 * @typedef {object} PdfRequest
 * @property {string} title
 * @property {string} number
 * @property {string | null} warning Above the title; the page is marked as a test.
 * @property {[name: string, value: string][]} facts
 * @property {Party} seller
 * @property {Party} customer
 * @property {Line[]} lines
 * @property {Line} total
 * @property {Line[]} after What happened to the total since.
 * @property {string} note
 */

/** @param {PdfRequest[]} requests @returns {Promise<string[]>} in base64 */
export async function writePdfs(requests) {
  const files = [];
  for (const request of requests) files.push(await writePdf(request));
  return files;
}

/** @param {PdfRequest} request @returns {Promise<string>} */
async function writePdf(request) {
  const { title, number, warning, seller } = request;
  const glyphs = new Glyphs();
  const draw = (/** @type {string} */ text) => glyphs.fit(text);
  const definition = {
    pageSize: 'A4',
    pageMargins: MARGIN,
    defaultStyle: { font: 'Roboto', fontSize: SIZES.body, lineHeight: 1.3, color: '#1f2937' },
    info: { title: `${title} ${number}`, author: draw(seller.name), creator: 'Tool Gateway' },
    ...(warning !== null && { watermark: { text: 'TEST', opacity: 0.08, bold: true } }),
    content: [
      ...(warning === null ? [] : [{ text: warning, bold: true, color: '#b91c1c', margin: [0, 0, 0, 12] }]),
      { text: title, fontSize: SIZES.title, bold: true, margin: [0, 0, 0, 16] },
      buildFacts(request, draw),
      buildParties(request, draw),
      buildLines(request, draw),
      { text: request.note, fontSize: SIZES.small, color: MUTED },
    ],
  };
  // pdfmake's type does not cover content built dynamically.
  const document = pdfmake.createPdf(
    /** @type {import('pdfmake/interfaces').TDocumentDefinitions} */ (/** @type {unknown} */ (definition)),
  );
  return Buffer.from(await document.getBuffer()).toString('base64');
}

/** @param {PdfRequest} request @param {(text: string) => string} draw */
function buildFacts({ number, facts }, draw) {
  const body = [['Number', number], ...facts].map(([name, value]) => [
    { text: name, color: MUTED },
    draw(value ?? ''),
  ]);
  return { table: { widths: [110, '*'], body }, layout: 'noBorders', margin: [0, 0, 0, 24] };
}

/** @param {PdfRequest} request @param {(text: string) => string} draw */
function buildParties({ seller, customer }, draw) {
  const column = (/** @type {string} */ name, /** @type {Party} */ party) => ({
    width: PARTY_WIDTH,
    stack: [
      { text: name, color: MUTED },
      { text: draw(party.name), bold: true },
      ...(party.address === '' ? [] : [{ text: draw(party.address) }]),
      ...(party.vat_id === null ? [] : [{ text: `VAT ID: ${draw(party.vat_id)}` }]),
    ],
  });
  return { columns: [column('From', seller), column('To', customer)], columnGap: 24, margin: [0, 0, 0, 24] };
}

/** @param {PdfRequest} request @param {(text: string) => string} draw */
function buildLines({ lines, total, after }, draw) {
  const row = (/** @type {Line} */ { text, amount }, bold = false) => [
    { text: draw(text), bold },
    { text: amount, alignment: 'right', bold },
  ];
  return {
    table: {
      widths: ['*', 100],
      headerRows: 1,
      body: [
        [
          { text: 'Description', color: MUTED },
          { text: 'Amount (USD)', color: MUTED, alignment: 'right' },
        ],
        ...lines.map((line) => row(line)),
        row(total, true),
        ...after.map((line) => row(line)),
      ],
    },
    layout: 'lightHorizontalLines',
    margin: [0, 0, 0, 24],
  };
}

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
 * @typedef {{ name: string, address: string, vat_id: string | null }} Party
 * @typedef {object} InvoiceRequest
 * @property {'invoice' | 'credit_note'} kind
 * @property {string} number
 * @property {boolean} test
 * @property {number} totalCents
 * @property {string} issuedAt
 * @property {Party} seller
 * @property {Party} customer
 * @property {{ text: string, cents: number }[]} lines
 * @property {{ id: string, paid_at: string, paid_with: string | null }} payment
 * @property {string | null} corrects
 */

/** @param {InvoiceRequest} request @returns {Promise<{ base64: string }>} */
export async function writeInvoice(request) {
  const glyphs = new Glyphs();
  const draw = (/** @type {string} */ text) => glyphs.fit(text);
  const title = request.kind === 'invoice' ? 'Invoice' : 'Credit note';
  const definition = {
    pageSize: 'A4',
    pageMargins: MARGIN,
    defaultStyle: { font: 'Roboto', fontSize: SIZES.body, lineHeight: 1.3, color: '#1f2937' },
    info: { title: `${title} ${request.number}`, author: draw(request.seller.name), creator: 'Tool Gateway' },
    ...(request.test && { watermark: { text: 'TEST', opacity: 0.08, bold: true } }),
    content: [
      ...(request.test ? [buildTestNote()] : []),
      { text: title, fontSize: SIZES.title, bold: true, margin: [0, 0, 0, 16] },
      buildFacts(request, draw),
      buildParties(request, draw),
      buildLines(request, draw),
      buildNote(request),
    ],
  };
  // pdfmake's type does not cover content built dynamically.
  const document = pdfmake.createPdf(
    /** @type {import('pdfmake/interfaces').TDocumentDefinitions} */ (/** @type {unknown} */ (definition)),
  );
  return { base64: Buffer.from(await document.getBuffer()).toString('base64') };
}

function buildTestNote() {
  return { text: 'TEST – not an invoice', bold: true, color: '#b91c1c', margin: [0, 0, 0, 12] };
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

/** `26 Nov 2026`, in UTC, as on pages. @param {string} at */
function formatDay(at) {
  const moment = new Date(at);
  return `${moment.getUTCDate()} ${MONTHS[moment.getUTCMonth()]} ${moment.getUTCFullYear()}`;
}

/** @param {InvoiceRequest} request @param {(text: string) => string} draw */
function buildFacts({ number, issuedAt, corrects, payment }, draw) {
  const facts = [
    ['Number', number],
    ['Date of issue', formatDay(issuedAt)],
    ...(corrects === null ? [] : [['Corrects invoice', corrects]]),
    ['Paid on', formatDay(payment.paid_at)],
    ...(payment.paid_with === null ? [] : [['Paid with', draw(payment.paid_with)]]),
    ['Payment', payment.id],
  ];
  const body = facts.map(([name, value]) => [{ text: name, color: MUTED }, value]);
  return { table: { widths: [110, '*'], body }, layout: 'noBorders', margin: [0, 0, 0, 24] };
}

/** @param {InvoiceRequest} request @param {(text: string) => string} draw */
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

/** @param {InvoiceRequest} request @param {(text: string) => string} draw */
function buildLines({ lines, totalCents, kind }, draw) {
  const amount = (/** @type {number} */ cents) => ({ text: formatCents(cents), alignment: 'right' });
  const total = kind === 'invoice' ? 'Total paid' : 'Total refunded';
  return {
    table: {
      widths: ['*', 100],
      headerRows: 1,
      body: [
        [
          { text: 'Description', color: MUTED },
          { text: 'Amount (USD)', color: MUTED, alignment: 'right' },
        ],
        ...lines.map(({ text, cents }) => [draw(text), amount(cents)]),
        [
          { text: total, bold: true },
          { ...amount(totalCents), bold: true },
        ],
      ],
    },
    layout: 'lightHorizontalLines',
    margin: [0, 0, 0, 24],
  };
}

/** @param {InvoiceRequest} request */
function buildNote({ test, kind }) {
  const paid = kind === 'invoice' ? ' Nothing is left to pay.' : '';
  const text = test ? 'Test mode: nothing was charged.' : `All amounts are in US dollars.${paid}`;
  return { text, fontSize: SIZES.small, color: MUTED };
}

/** @param {number} cents */
function formatCents(cents) {
  const dollars = Math.trunc(cents / 100).toLocaleString('en-US');
  return `$${dollars}.${String(cents % 100).padStart(2, '0')}`;
}

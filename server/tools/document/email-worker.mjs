// Runs in a worker process: mjml takes a second to load. Its build for browsers reads no files.
import { writeFile } from 'node:fs/promises';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { mailText } from './html-text.mjs';

/** MJML for browsers: one file instead of 168 packages. It needs a window while it loads. */
Reflect.set(globalThis, 'window', globalThis);
const { default: mjml2html } = await import('mjml-browser');
Reflect.deleteProperty(globalThis, 'window');

const MAX_WARNINGS = 20;
const MAX_WARNING_CHARS = 300;
/** Gmail clips emails above this size. */
const CLIPPED_BYTES = 102 * 1024;

/**
 * @param {{ mjml: string, variables: Record<string, string | number>, output: string }} payload
 */
export function renderEmail({ mjml, variables, output }) {
  return refusable(async () => {
    if (/<mj-include\b/i.test(mjml))
      throw new Refusal('mjml: mj-include is not supported. Put the included content into the document.');
    /** @type {Set<string>} */
    const unknown = new Set();
    const filled = fill(mjml, variables, unknown);
    const source = /<mjml[\s>]/i.test(filled) ? filled : `<mjml><mj-body>${filled}</mj-body></mjml>`;
    const { html, errors } = convert(source);
    const warnings = errors.map(({ line, message }) =>
      `Line ${line}: ${message}`.slice(0, MAX_WARNING_CHARS),
    );
    for (const name of unknown) warnings.push(`There is no value for the variable {{${name}}}.`);
    if (Buffer.byteLength(html) > CLIPPED_BYTES)
      warnings.push(
        `The email has ${Math.round(Buffer.byteLength(html) / 1024)} KiB; Gmail shows only the first 102 KiB.`,
      );
    const text = mailText(html);
    // MJML accepts unclosed tags and silently drops their content.
    if (text === '' && !/<img\b/.test(html))
      warnings.push('The email is empty. Put text in mj-text, inside mj-section and mj-column.');
    await writeFile(output, html);
    return { html, text, warnings: warnings.slice(0, MAX_WARNINGS) };
  });
}

/**
 * @param {string} source
 * @returns {{ html: string, errors: { line: number, message: string }[] }}
 */
function convert(source) {
  try {
    const { html, errors } = mjml2html(source, {
      validationLevel: 'soft',
      keepComments: false,
    });
    return { html, errors };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new Refusal(`mjml: invalid document. ${text.slice(0, MAX_WARNING_CHARS)}`);
  }
}

/**
 * Replaces each `{{ name }}` with its value, escaped so that a value cannot add tags.
 * @param {string} source
 * @param {Record<string, string | number>} variables
 * @param {Set<string>} unknown collects names without a value; their placeholders stay in the text
 */
function fill(source, variables, unknown) {
  return source.replace(/\{\{\s*([\w.-]{1,64})\s*\}\}/g, (whole, name) => {
    if (Object.hasOwn(variables, name)) return escapeXml(String(variables[name]));
    unknown.add(name);
    return whole;
  });
}

/** @param {string} text */
function escapeXml(text) {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

import { define, plainText } from './setting-schemas';
import type { RawSettings, Settings } from './settings';

/** Settings for the seller on invoices. */
export const SELLER_SETTINGS = {
  SELLER_NAME: define(
    plainText,
    null,
    'Your name or company on invoices. Without it and SELLER_ADDRESS, invoices of real payments are refused.',
  ),
  SELLER_ADDRESS: define(plainText, null, 'Your address on invoices; write a line break as \\n.'),
  SELLER_VAT_ID: define(plainText, null, 'Your VAT id on invoices, if you have one.'),
};

/** Reads the seller on invoices; its address has real line breaks. */
export function readSeller(raw: RawSettings): Settings['seller'] {
  const address = raw.SELLER_ADDRESS?.replaceAll('\\n', '\n') ?? null;
  return { name: raw.SELLER_NAME, address, vatId: raw.SELLER_VAT_ID };
}

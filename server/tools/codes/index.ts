import { defineTool } from '../sdk/define-tool';
import { barcode } from './barcode';
import { qr } from './qr';

export const tool = defineTool({
  name: 'codes',
  displayName: 'QR codes and barcodes',
  subtitle: 'QR codes and barcodes as SVG or PNG',
  description:
    'Make machine-readable codes to print or to show on a screen. Create a QR code for a link, wifi access, a contact or any text, or generate a barcode such as EAN-13, UPC, Code 128, ITF-14, Data Matrix or PDF417 with a verified check digit. Choose size, colours, margin and error correction, and get an SVG or a PNG image.',
  categories: ['images', 'retail'],
  version: '1.0.0',
  skills: [qr, barcode],
});

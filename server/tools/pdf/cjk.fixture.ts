import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';

/** Creates a page whose font is not embedded and names one of Adobe's predefined CMaps. */
export async function createCjkDocument(cmap: string, ordering: string, hex: string): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  const page = document.addPage([200, 100]);
  const { context } = document;
  const descendant = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType0',
      BaseFont: 'STSong-Light',
      CIDSystemInfo: {
        Registry: PDFString.of('Adobe'),
        Ordering: PDFString.of(ordering),
        Supplement: 2,
      },
      FontDescriptor: context.register(
        context.obj({
          Type: 'FontDescriptor',
          FontName: 'STSong-Light',
          Flags: 4,
          FontBBox: [0, -200, 1000, 900],
          ItalicAngle: 0,
          Ascent: 880,
          Descent: -120,
          StemV: 80,
          CapHeight: 700,
        }),
      ),
    }),
  );
  const font = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'STSong-Light',
      Encoding: cmap,
      DescendantFonts: [descendant],
    }),
  );
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font } }));
  const content = context.stream(`BT /F1 24 Tf 20 40 Td <${hex}> Tj ET`);
  page.node.set(PDFName.of('Contents'), context.register(content));
  return document;
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

let prepared: Promise<unknown> | undefined;

/** Its WebAssembly comes from the disk: by default it would be fetched from a host of somebody else. */
function prepare(): Promise<unknown> {
  prepared ??= readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')).then(
    (wasm) =>
      prepareZXingModule({
        overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) },
        fireImmediately: true,
      }),
  );
  return prepared;
}

/**
 * What a scanner reads in a picture: for tests, by another library than the one that drew it.
 * @param dataUri `data:image/png;base64,…`
 */
export async function scan(dataUri: string): Promise<{ format: string; text: string }[]> {
  await prepare();
  const bytes = Buffer.from(dataUri.replace(/^data:[^,]*,/, ''), 'base64');
  const found = await readBarcodes(new Uint8Array(bytes), { tryHarder: true });
  return found.map(({ format, text }) => ({ format, text }));
}

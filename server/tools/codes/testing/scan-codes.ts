import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

let prepared: Promise<unknown> | undefined;

/** Loads the WebAssembly from disk; by default the library downloads it from a third-party host. */
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
 * Scans the codes in a picture with another library than the one that drew it.
 * @param dataUri `data:image/png;base64,…`
 */
export async function scan(dataUri: string): Promise<{ format: string; text: string }[]> {
  await prepare();
  const bytes = Buffer.from(dataUri.replace(/^data:[^,]*,/, ''), 'base64');
  const found = await readBarcodes(new Uint8Array(bytes), { tryHarder: true });
  return found.map(({ format, text }) => ({ format, text }));
}

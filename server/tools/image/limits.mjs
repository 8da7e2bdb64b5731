// Picture limits, shared by the gateway and the workers.

/** Per input file. */
export const MAX_INPUT_BYTES = 30 * 1024 * 1024;
/** Per input picture with all its frames: 300 MB as RGB. Checked by the header, before decoding. */
export const MAX_INPUT_PIXELS = 100_000_000;
/** Per output picture with all its frames. */
export const MAX_OUTPUT_PIXELS = 50_000_000;
/** Encoding AVIF takes a second per megapixel on one core. */
export const MAX_AVIF_PIXELS = 12_000_000;
/** Choosing the palette of a GIF is slow as well. */
export const MAX_GIF_PIXELS = 25_000_000;
/** For a composition and each layer; several are in memory at once, each up to 100 MB of RGBA. */
export const MAX_LAYER_PIXELS = 25_000_000;
export const MAX_FRAMES = 300;
/** WebP's limit; JPEG and GIF allow sides of up to 65,535 pixels. */
export const MAX_SIDE = 16_383;
export const MAX_LAYERS = 20;
/** Time limit for one picture. */
export const TIME_LIMIT_MS = 60_000;

// The bounds of pictures, for the gateway's side and for the workers.

/** Of one file that comes in. */
export const MAX_INPUT_BYTES = 30 * 1024 * 1024;
/** Of one picture that comes in, all frames counted: 300 MB as RGB. Told by its header, before it is decoded. */
export const MAX_INPUT_PIXELS = 100_000_000;
/** Of one picture that goes out, all frames counted. */
export const MAX_OUTPUT_PIXELS = 50_000_000;
/** AVIF takes a second a megapixel on one core. */
export const MAX_AVIF_PIXELS = 12_000_000;
/** So does choosing the colours of a GIF. */
export const MAX_GIF_PIXELS = 25_000_000;
/** Of a composition and of each of its layers: several are in memory at once, as 100 MB of RGBA each. */
export const MAX_LAYER_PIXELS = 25_000_000;
export const MAX_FRAMES = 300;
/** The longest side of a JPEG or GIF is 65,535 pixels by their standards; of others less. */
export const MAX_SIDE = 16_383;
export const MAX_LAYERS = 20;
/** What one picture may compute. */
export const TIME_LIMIT_MS = 60_000;

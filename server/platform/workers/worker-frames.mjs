// The framing between the gateway and a worker: a length in four bytes, then that many bytes.
// Plain JavaScript, because workers run without a bundler.

const HEADER_BYTES = 4;
/** The buffer grows as bytes arrive, so that announcing a large length costs no memory. */
const FIRST_BYTES = 64 * 1024;

/** @param {number} length @returns {Buffer} */
export function frameHeader(length) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(length);
  return header;
}

/**
 * Splits a stream of bytes into frames.
 * @param {number} maxBytes of one frame
 * @param {(frame: Buffer) => void} onFrame
 * @returns {(chunk: Buffer) => void} throws for a frame that is too large, and what `onFrame`
 * throws
 */
export function createFrameReader(maxBytes, onFrame) {
  const header = Buffer.alloc(HEADER_BYTES);
  let headerFilled = 0;
  let length = 0;
  let filled = 0;
  /** @type {Buffer | undefined} */
  let body;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (body === undefined) {
        const copied = chunk.copy(header, headerFilled, at);
        at += copied;
        headerFilled += copied;
        if (headerFilled < HEADER_BYTES) return;
        headerFilled = 0;
        length = header.readUInt32BE();
        if (length > maxBytes) throw new Error(`a frame of ${length} bytes`);
        body = Buffer.allocUnsafeSlow(Math.min(length, FIRST_BYTES));
        filled = 0;
      }
      const count = Math.min(length - filled, chunk.length - at);
      if (filled + count > body.length) body = grow(body, Math.min(length, 2 * (filled + count)));
      chunk.copy(body, filled, at, at + count);
      at += count;
      filled += count;
      if (filled < length) return;
      const frame = body.subarray(0, length);
      body = undefined;
      onFrame(frame);
    }
  };
}

/** @param {Buffer} bytes @param {number} size */
function grow(bytes, size) {
  const larger = Buffer.allocUnsafeSlow(size);
  bytes.copy(larger);
  return larger;
}

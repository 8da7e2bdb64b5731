import { randomUUID } from 'node:crypto';
import { Transform } from 'node:stream';
import { replaceInexactNumbers } from './exact-number.js';

const LINE_FEED = 10;
/** Unknown to clients. */
const MARK = `number${randomUUID().replaceAll('-', '')}`;
const MARKED = new RegExp(`"${MARK}(-?[\\d.eE+-]+)"`, 'g');

/**
 * A stream of JSON lines in which the numbers that a double cannot hold are marked texts, because
 * the SDK parses each line. `writeMarkedNumbers` ends the mark.
 */
export function markNumbers(): Transform {
  let started: Buffer[] = [];
  const mark = (line: Buffer) =>
    Buffer.from(replaceInexactNumbers(line.toString(), (literal) => `"${MARK}${literal}"`));
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      if (end === 0) started.push(chunk);
      else {
        this.push(mark(Buffer.concat([...started, chunk.subarray(0, end)])));
        started = [chunk.subarray(end)];
      }
      done();
    },
  });
}

/** Writes marked texts in JSON as numbers, for the gateway to accept or refuse. */
export function writeMarkedNumbers(json: string): string {
  return json.replace(MARKED, '$1');
}

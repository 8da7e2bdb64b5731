/** Evaluated before the caller's code, to capture built-ins before the caller can replace them. */
export const PRELUDE = `(() => {
  const { stringify, parse } = JSON;
  const { String, Error, Array } = globalThis;
  const MAX_SHOWN = 2000;
  const short = (text) => text.length > MAX_SHOWN ? text.slice(0, MAX_SHOWN) + '…' : text;
  const plain = (key, value) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function') return '[Function ' + value.name + ']';
    if (typeof value === 'symbol') return String(value);
    if (value instanceof Map) return { Map: Array.from(value) };
    if (value instanceof Set) return { Set: Array.from(value) };
    if (value instanceof Error) return value.name + ': ' + value.message;
    return value;
  };
  const show = (value) => {
    if (typeof value === 'string') return short(value);
    if (typeof value === 'object' && value !== null && !(value instanceof Error)) {
      try { return short(stringify(value, plain)); } catch { return String(value); }
    }
    return short(String(plain('', value)));
  };
  const describe = (thrown) => {
    if (!(thrown instanceof Error)) return 'threw ' + show(thrown);
    const place = /code\\.js:(\\d+)(?::(\\d+))?/.exec(String(thrown.stack));
    const where = place ? ' (line ' + place[1] + (place[2] ? ', column ' + place[2] : '') + ')' : '';
    return short(thrown.name + ': ' + thrown.message + where);
  };
  const typeOf = (value) => value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const encode = (value) => {
    const text = stringify(value, plain);
    return '{"type":"' + typeOf(value) + '","value":' + (text === undefined ? 'null' : text) + '}';
  };
  return { show, describe, encode, parse };
})()`;

/** The record's own value under an untrusted name; undefined for inherited ones (`constructor`). */
export function getOwnValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * The value that a record has under a name from outside; not what every object has, such as
 * `constructor`.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

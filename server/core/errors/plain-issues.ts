import { z } from 'zod';
import { nearestName } from './unknown-name';

// Zod messages are predicates of the field ("must be a number."), for every schema in this process.
// A schema's own messages take precedence.
z.config({ customError: (issue) => describeIssue(issue as Issue) });

type Issue = z.core.$ZodRawIssue;
type Definition = Partial<
  Record<'check' | 'value' | 'inclusive' | 'minimum' | 'maximum' | 'format', unknown>
>;

const MAX_LISTED_VALUES = 20;
const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  nan: 'not a number',
  undefined: 'left out',
  date: 'a date',
};
const FORMATS: Record<string, string> = {
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'an ISO 8601 time in UTC',
  date: 'an ISO 8601 date',
  base64: 'base64',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};
const UNITS: Record<string, [string, string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
};

/** Whether a message is a predicate, to be prefixed with its field. */
export function isPredicate(message: string): boolean {
  return /^(is|must|has|does) /.test(message);
}

function describeIssue(issue: Issue): string {
  const { input } = issue;
  if (input === undefined && issue.code !== 'custom')
    return `is required${describeObject(issue, ': an object')}.`;
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int'
        ? `must be ${describeNumber(issue)}${describeInput(input)}.`
        : `must be ${TYPES[issue.expected] ?? issue.expected}${describeObject(issue)}${describeInput(input)}.`;
    case 'too_small':
    case 'too_big':
      return describeSize(issue, input);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}${describeInput(input)}.`;
    case 'invalid_value':
      return describeValues(issue.values.map(String), input);
    case 'invalid_format':
      return describeFormat(issue);
    case 'unrecognized_keys':
      return describeUnknownKeys(issue.keys, issue.inst);
    case 'invalid_union':
      return 'does not match any of the accepted forms.';
    case 'invalid_key':
      return 'contains a name that is not allowed.';
    default:
      return 'is not valid.';
  }
}

/** For a missing object, or another value in its place: the fields that it must have. */
function describeObject({ inst }: Issue, prefix = ''): string {
  if (!(inst instanceof z.ZodObject)) return '';
  const required = Object.entries(inst.def.shape)
    .filter(([, field]) => field._zod.optin === undefined)
    .map(([name]) => `\`${name}\``);
  const listed = required.slice(0, MAX_LISTED_VALUES);
  return listed.length === 0 ? '' : `${prefix} with ${joinWith('and', listed)}`;
}

/** Repeats numbers, which are no secrets; of other input only the type. */
function describeInput(input: unknown): string {
  if (typeof input === 'number' && Number.isFinite(input)) return `; got ${input}`;
  if (input === null) return '; got null';
  if (Array.isArray(input)) return '; got a list';
  const type = typeof input === 'number' ? undefined : TYPES[typeof input];
  return type ? `; got ${type === TYPES.boolean ? String(input) : type}` : '';
}

function describeSize(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>, input: unknown): string {
  const { origin } = issue;
  const units = UNITS[origin];
  if (!units) return `must be ${describeNumber(issue)}${describeInput(input)}.`;
  const limit = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  if (limit === 1 && issue.code === 'too_small') return 'must not be empty.';
  const amount = `${limit.toLocaleString('en')} ${limit === 1 ? units[0] : units[1]}`;
  if (issue.exact) return `must have ${amount}.`;
  return `must have at ${issue.code === 'too_small' ? 'least' : 'most'} ${amount}${describeLength(input)}.`;
}

function describeLength(input: unknown): string {
  const { length } = typeof input === 'string' || Array.isArray(input) ? input : { length: undefined };
  return length === undefined ? '' : `; got ${length.toLocaleString('en')}`;
}

/** Names all bounds of the schema, not only the one that was exceeded. */
function describeNumber(issue: Issue): string {
  const schema = (issue.schema ?? issue.inst) as
    | { _zod?: { def?: Definition & { checks?: unknown[] } } }
    | undefined;
  const own = schema?._zod?.def ?? {};
  const definitions = [own, ...(own.checks ?? []).map((check) => getDefinition(check))];
  let whole = 'expected' in issue && issue.expected === 'int';
  let least: string | undefined;
  let most: string | undefined;
  for (const { check, value, inclusive, format } of definitions) {
    if (check === 'number_format') whole ||= /int/.test(String(format));
    if (check === 'greater_than') least = `${inclusive ? '' : 'more than '}${value}`;
    if (check === 'less_than') most = `${inclusive ? '' : 'less than '}${value}`;
  }
  const kind = whole ? 'a whole number' : 'a number';
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  if (least !== undefined) return `${kind}${/^more/.test(least) ? '' : ' of at least'} ${least}`;
  if (most !== undefined) return `${kind}${/^less/.test(most) ? '' : ' of at most'} ${most}`;
  return kind;
}

function getDefinition(check: unknown): Definition {
  return (check as { _zod?: { def?: Definition } } | null)?._zod?.def ?? {};
}

function describeValues(values: readonly string[], input: unknown): string {
  const nearest = typeof input === 'string' ? nearestName(input, values) : undefined;
  const hint = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
  if (values.length > MAX_LISTED_VALUES) return `must be one of ${values.length} allowed values.${hint}`;
  return `must be ${joinWith(
    'or',
    values.map((value) => `\`${value}\``),
  )}.${hint}`;
}

/** Formats `a, b or c`. */
function joinWith(word: 'and' | 'or', parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} ${word} ${last}` : last;
}

function describeFormat(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  const { format } = issue;
  if (format === 'starts_with') return `must begin with \`${String(issue.prefix)}\`.`;
  if (format === 'ends_with') return `must end with \`${String(issue.suffix)}\`.`;
  if (format === 'includes') return `must contain \`${String(issue.includes)}\`.`;
  if (format === 'regex') return `must match ${String(issue.pattern)}.`;
  return `must be ${FORMATS[format] ?? `a valid ${format}`}.`;
}

function describeUnknownKeys(keys: readonly string[], inst: unknown): string {
  const shape = (inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape ?? {};
  const [first = ''] = keys;
  const nearest = nearestName(first, Object.keys(shape));
  const names = keys.slice(0, 5).map((key) => `\`${key.slice(0, 64)}\``);
  return `has ${keys.length === 1 ? 'the unknown field' : 'the unknown fields'} ${names.join(', ')}.${nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`}`;
}

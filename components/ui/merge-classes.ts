/**
 * The CSS properties that each of our utilities sets; the first matching pattern wins. A name
 * without a match is kept. Tested against tailwind-merge, which knows all of Tailwind but adds 8 kB
 * to every page.
 */
const SIZES = '(?:xs|sm|md|base|lg|\\d?xl)';
const LENGTH = '(?:auto|px|full|\\d[\\d./]*|\\[.*\\]|\\(.*\\))';
const EXTENT = `(?:${LENGTH}|${SIZES}|screen|prose|fit|min|max|none|[sld]v[wh]|screen-${SIZES})`;
const TABLE: readonly (readonly [pattern: string, properties: string])[] = [
  [
    '(?:block|inline|inline-block|flex|inline-flex|grid|inline-grid|hidden|contents|table|table-cell|list-item)',
    'display',
  ],
  ['(?:static|fixed|absolute|relative|sticky)', 'position'],
  ['(?:visible|invisible|collapse)', 'visibility'],
  ['(?:truncate|text-(?:ellipsis|clip))', 'text-overflow'],
  ['not-sr-only|sr-only', 'sr'],
  [`p-${LENGTH}`, 'pt pr pb pl'],
  [`px-${LENGTH}`, 'pr pl'],
  [`py-${LENGTH}`, 'pt pb'],
  [`(p[trbl])-${LENGTH}`, '$1'],
  [`m-${LENGTH}`, 'mt mr mb ml'],
  [`mx-${LENGTH}`, 'mr ml'],
  [`my-${LENGTH}`, 'mt mb'],
  [`(m[trbl])-${LENGTH}`, '$1'],
  [`size-${EXTENT}`, 'w h'],
  [`(w|h|min-w|min-h|max-w|max-h)-${EXTENT}`, '$1'],
  [`inset-x-${LENGTH}`, 'left right'],
  [`inset-y-${LENGTH}`, 'top bottom'],
  [`inset-${LENGTH}`, 'top right bottom left'],
  [`(top|right|bottom|left)-${LENGTH}`, '$1'],
  [`gap-x-${LENGTH}`, 'gap-x'],
  [`gap-y-${LENGTH}`, 'gap-y'],
  [`gap-${LENGTH}`, 'gap-x gap-y'],
  [`(space-[xy])-(?!reverse)${LENGTH}`, '$1'],
  ['flex-(?:row|col)(?:-reverse)?', 'flex-direction'],
  ['flex-(?:wrap|nowrap|wrap-reverse)', 'flex-wrap'],
  ['flex-(?:\\d+|auto|initial|none|\\[.*\\])', 'flex basis grow shrink'],
  ['(basis|grow|shrink)(?:-.+)?', '$1'],
  [
    '(justify|items|self|content|justify-items|justify-self|place-items|order|z|opacity|cursor|select|align)-[\\w[\\]().-]+',
    '$1',
  ],
  ['(grid-cols|grid-rows|col-span|row-span|auto-cols|auto-rows|grid-flow)-.+', '$1'],
  ['line-clamp-.+', 'line-clamp display overflow overflow-x overflow-y'],
  ['overflow-(?:auto|hidden|clip|visible|scroll)', 'overflow overflow-x overflow-y'],
  ['(overflow-[xy])-.+', '$1'],
  ['rounded(?:-(?:none|full|xs|sm|md|lg|\\d?xl|\\[.*\\]))?', 'rtl rtr rbr rbl'],
  ['rounded-(tl|tr|br|bl)(?:-.+)?', 'r$1'],
  ['rounded-t(?:-.+)?', 'rtl rtr'],
  ['rounded-r(?:-.+)?', 'rtr rbr'],
  ['rounded-b(?:-.+)?', 'rbr rbl'],
  ['rounded-l(?:-.+)?', 'rtl rbl'],
  ['border(?:-(?:\\d+|\\[\\d.*\\]))?', 'bwt bwr bwb bwl'],
  ['border-x(?:-\\d+)?', 'bwr bwl'],
  ['border-y(?:-\\d+)?', 'bwt bwb'],
  ['border-([trbl])(?:-\\d+)?', 'bw$1'],
  ['border-(?:solid|dashed|dotted|double|none)', 'border-style'],
  ['border-(?:collapse|separate)', 'border-collapse'],
  ['border-([trbl])-.+', 'bc$1'],
  ['border-.+', 'bct bcr bcb bcl'],
  [`text-(?:${SIZES}|\\[[\\d.]+[a-z]+\\])(?:/.+)?`, 'font-size leading'],
  ['leading-.+', 'leading'],
  ['text-(?:left|center|right|justify|start|end)', 'text-align'],
  ['text-(?:wrap|nowrap|balance|pretty)', 'text-wrap'],
  ['text-.+', 'color'],
  ['font-(?:sans|mono|serif)', 'font-family'],
  ['font-(?:thin|light|normal|medium|semibold|bold|black)', 'font-weight'],
  ['(?:italic|not-italic)', 'font-style'],
  ['(?:uppercase|lowercase|capitalize|normal-case)', 'text-transform'],
  ['(?:underline|line-through|no-underline)', 'text-decoration'],
  ['stroke-(?:\\d+|\\[[\\d.]+\\])', 'stroke-width'],
  ['(break-after|break-before|break-inside)-.+', '$1'],
  [
    '(tracking|whitespace|break|underline-offset|object|aspect|fill|stroke|col-start|col-end|row-start|row-end|animate|duration|delay|ease|list)-.+',
    '$1',
  ],
  ['transition(?:-.+)?', 'transition'],
  ['shadow(?:-(?:none|pop|xs|sm|md|lg|xl))?', 'shadow'],
  ['ring(?:-\\d+)?', 'ring'],
  ['ring-inset', 'ring-inset'],
  ['ring-.+', 'ring-color'],
  ['outline-(?:none|hidden)', 'outline-style'],
  ['outline-\\d+', 'outline-width'],
  ['-?outline-offset-.+', 'outline-offset'],
  ['outline-.+', 'outline-color'],
  ['bg-.+', 'bg'],
  ['(translate-[xy]|rotate|scale|pointer-events|scroll-m[trblxy]?|scroll-p[trblxy]?)-.+', '$1'],
];
const PATTERNS = TABLE.map(
  ([pattern, properties]) => [new RegExp(`^-?(?:${pattern})$`), properties] as const,
);
const known = new Map<string, readonly string[]>();

/**
 * The properties of a class with its variants: `sm:hover:px-2` sets `sm:hover:pr` and
 * `sm:hover:pl`.
 */
function getProperties(name: string): readonly string[] {
  const found = known.get(name);
  if (found) return found;
  const cut = variantEnd(name);
  const important = name.endsWith('!') || name[cut] === '!';
  const utility = name.slice(cut).replace(/^!|!$/g, '');
  const variants = name.slice(0, cut).split(':').sort().join(':') + (important ? '!' : '');
  let properties: string[] = [];
  for (const [pattern, sets] of PATTERNS) {
    const match = pattern.exec(utility);
    if (!match) continue;
    properties = sets.replaceAll('$1', match.slice(1).find(Boolean) ?? '').split(' ');
    break;
  }
  const result = properties.map((property) => `${variants} ${property}`);
  known.set(name, result);
  return result;
}

/** Where the utility starts: after the last colon outside brackets. */
function variantEnd(name: string): number {
  let depth = 0;
  let end = 0;
  for (let i = 0; i < name.length; i++) {
    const char = name[i];
    if (char === '[' || char === '(') depth++;
    else if (char === ']' || char === ')') depth--;
    else if (char === ':' && depth === 0) end = i + 1;
  }
  return end;
}

/** Caches whole strings, of which a page has a few hundred. */
const MOST_MERGED = 1_000;
const merged = new Map<string, string>();

/** Removes every class with all of its properties set by later ones. */
export function mergeClasses(classes: string): string {
  const before = merged.get(classes);
  if (before !== undefined) return before;
  if (merged.size >= MOST_MERGED) merged.clear();
  const result = merge(classes);
  merged.set(classes, result);
  return result;
}

function merge(classes: string): string {
  const kept: string[] = [];
  const taken = new Set<string>();
  for (const name of classes.split(/\s+/).reverse()) {
    if (!name) continue;
    const properties = getProperties(name);
    if (properties.length > 0 && properties.every((property) => taken.has(property))) continue;
    for (const property of properties) taken.add(property);
    kept.push(name);
  }
  return kept.reverse().join(' ');
}

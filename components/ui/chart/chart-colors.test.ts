import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8');
const COLOR = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g;

/** Lightness, chroma and hue of a token, in light and in dark. */
function readColors(token: string): [l: number, c: number, h: number][] {
  const [, value = ''] = new RegExp(`--${token}: light-dark\\((.*)\\);`).exec(css) ?? [];
  return [...value.matchAll(COLOR)].map(([, l, c, h]) => [Number(l), Number(c), Number(h)]);
}

/** The relative luminance (WCAG 2) of a token, in light and in dark. */
function luminances(token: string): number[] {
  return readColors(token).map((color) => luminance(...color));
}

/** The distance of two colours in OKLab. */
function distance([l1, c1, h1]: readonly number[], [l2, c2, h2]: readonly number[]): number {
  const point = (l = 0, c = 0, h = 0) => [
    l,
    c * Math.cos((h * Math.PI) / 180),
    c * Math.sin((h * Math.PI) / 180),
  ];
  const other = point(l2, c2, h2);
  return Math.hypot(...point(l1, c1, h1).map((part, at) => part - (other[at] ?? 0)));
}

function luminance(lightness: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (part: number) => Math.min(1, Math.max(0, part));
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

const TOKENS = [1, 2, 3, 4, 5, 6, 7, 8, 'rest'].map((name) => `chart-${name}`);

describe.each(TOKENS)('%s', (token) => {
  it('has a contrast of at least 3 to 1 with the surface, in light and dark', () => {
    const surface = luminances('surface');
    const color = luminances(token);
    expect(color).toHaveLength(2);
    for (const scheme of [0, 1])
      expect(contrast(color[scheme] ?? 0, surface[scheme] ?? 0)).toBeGreaterThanOrEqual(3);
  });
});

it('has series colours that are distinct from each other, in light and dark', () => {
  for (const scheme of [0, 1])
    for (const one of TOKENS)
      for (const other of TOKENS.slice(TOKENS.indexOf(one) + 1))
        expect(
          distance(readColors(one)[scheme] ?? [], readColors(other)[scheme] ?? []),
          `${one} and ${other}`,
        ).toBeGreaterThan(0.1);
});

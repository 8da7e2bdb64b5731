import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8');
const COLOR = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g;

/** The relative luminance (WCAG 2) of a token, in light and in dark. */
function luminances(token: string): number[] {
  const [, value = ''] = new RegExp(`--${token}: light-dark\\((.*)\\);`).exec(css) ?? [];
  return [...value.matchAll(COLOR)].map(([, l, c, h]) => luminance(Number(l), Number(c), Number(h)));
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

describe.each(['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-rest'])('%s', (token) => {
  it('has a contrast of at least 3 to 1 with the surface, in light and dark', () => {
    const surface = luminances('surface');
    const color = luminances(token);
    expect(color).toHaveLength(2);
    for (const scheme of [0, 1])
      expect(contrast(color[scheme] ?? 0, surface[scheme] ?? 0)).toBeGreaterThanOrEqual(3);
  });
});

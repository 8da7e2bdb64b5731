/** `1,204`: a whole number with grouped digits, without loading Intl. */
export function formatNumber(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `0.5`, `950`, `1.2K`, `12.35M`: a number for an axis, with two decimals at most. */
export function formatCompact(value: number): string {
  let scaled = value;
  for (const unit of ['', 'K', 'M']) {
    const rounded = Number(scaled.toFixed(2));
    if (rounded < 1000) return `${rounded}${unit}`;
    scaled /= 1000;
  }
  return `${Number(scaled.toFixed(2))}B`;
}

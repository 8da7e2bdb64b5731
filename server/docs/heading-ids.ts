/** Assigns unique ids to the headings of one document. */
export class HeadingIds {
  readonly #seen = new Map<string, number>();

  /**
   * `What can go wrong` becomes `what-can-go-wrong`. A heading that is one code word keeps its
   * spelling: error codes are anchors.
   */
  next(text: string, isCode: boolean): string {
    const id = isCode ? text : slugify(text);
    const count = this.#seen.get(id) ?? 0;
    this.#seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  }
}

function slugify(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'section' : slug;
}

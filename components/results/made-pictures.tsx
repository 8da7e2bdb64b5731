'use client';

/** So many are looked at, and so many parts of an output are searched for them. */
const MAX_SHOWN = 6;
const MAX_PARTS = 2_000;
const PICTURE = /^data:image\/(?:png|jpeg|webp|gif|svg\+xml)[;,]/;

/** Pictures that are in an output as text. As the source of an image, nothing of them can run. */
export function picturesIn(output: unknown): string[] {
  const found = new Set<string>();
  const open: unknown[] = [output];
  for (let parts = 0; open.length > 0 && parts < MAX_PARTS; parts++) {
    const at = open.shift();
    if (typeof at === 'string' && PICTURE.test(at)) found.add(at);
    if (typeof at !== 'object' || at === null) continue;
    const { media_type, content } = at as { media_type?: unknown; content?: unknown };
    if (media_type === 'image/svg+xml' && typeof content === 'string' && content.startsWith('<svg'))
      found.add(`data:image/svg+xml,${encodeURIComponent(content)}`);
    // Not spread: a long list would be more arguments than there is stack for.
    for (const part of Object.values(at)) open.push(part);
  }
  return [...found].slice(0, MAX_SHOWN);
}

/** Pictures that came as text, to look at. */
export function MadePictures({ sources }: { sources: readonly string[] }) {
  return sources.map((source, at) => (
    <div key={source} className="overflow-hidden rounded-lg border bg-sunken">
      {/* biome-ignore lint/performance/noImgElement: it is in the page already */}
      <img
        src={source}
        alt={`In the output, ${at + 1} of ${sources.length}`}
        className="mx-auto max-h-[50dvh] max-w-full object-contain"
      />
    </div>
  ));
}

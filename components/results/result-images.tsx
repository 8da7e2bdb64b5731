'use client';

/** Limits of the images shown and of the output's nodes searched. */
const MAX_SHOWN = 6;
const MAX_PARTS = 2_000;
const PICTURE = /^data:image\/(?:png|jpeg|webp|gif|svg\+xml)[;,]/;

/** Data URLs of images in an output. As the source of an `img`, they cannot run scripts. */
export function findImages(output: unknown): string[] {
  const found = new Set<string>();
  const open: unknown[] = [output];
  for (let parts = 0; open.length > 0 && parts < MAX_PARTS; parts++) {
    const at = open.shift();
    if (typeof at === 'string' && PICTURE.test(at)) found.add(at);
    if (typeof at !== 'object' || at === null) continue;
    const { media_type, content } = at as { media_type?: unknown; content?: unknown };
    if (media_type === 'image/svg+xml' && typeof content === 'string' && content.startsWith('<svg'))
      found.add(`data:image/svg+xml,${encodeURIComponent(content)}`);
    // Not spread: a long list would exceed the argument limit.
    for (const part of Object.values(at)) open.push(part);
  }
  return [...found].slice(0, MAX_SHOWN);
}

/** Images that an output contains as data URLs. */
export function ResultImages({ sources }: { sources: readonly string[] }) {
  return sources.map((source, at) => (
    <div key={source} className="overflow-hidden rounded-lg border bg-sunken">
      {/* biome-ignore lint/performance/noImgElement: a data URL is already loaded */}
      <img
        src={source}
        alt={`Output ${at + 1} of ${sources.length}`}
        className="mx-auto max-h-[50dvh] max-w-full object-contain"
      />
    </div>
  ));
}

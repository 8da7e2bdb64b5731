import { FileText, FileX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AssetPage } from '@/server/assets/schema';
import { EmptyState } from '../ui/empty-state';

/** A larger picture is shown as its thumbnail. */
const MAX_SHOWN_IMAGE_BYTES = 10 * 1024 * 1024;

/** The file as far as it can be shown without running anything of it: nothing here is framed, and no text becomes markup. */
export function AssetPreview({ asset, src }: { asset: AssetPage; src: string }) {
  switch (asset.preview) {
    case 'image':
      return <Picture asset={asset} src={src} />;
    case 'video':
      return (
        <Frame>
          {/* biome-ignore lint/a11y/useMediaCaption: a file of a stranger brings no captions */}
          <video controls preload="metadata" src={src} className="max-h-[70dvh] w-full" />
        </Frame>
      );
    case 'audio':
      return (
        <Frame>
          {/* biome-ignore lint/a11y/useMediaCaption: a file of a stranger brings no captions */}
          <audio controls preload="metadata" src={src} className="w-full p-4" />
        </Frame>
      );
    case 'text':
      return <TextPreview asset={asset} />;
    case 'pdf':
      return (
        <Frame>
          <EmptyState icon={<FileText />} title="A PDF document">
            Download it to read it: a document can hold scripts, so it is not opened here.
          </EmptyState>
        </Frame>
      );
    default:
      return <NoPreview />;
  }
}

function Picture({ asset, src }: { asset: AssetPage; src: string }) {
  const whole = asset.size_bytes <= MAX_SHOWN_IMAGE_BYTES;
  const shown = whole ? src : asset.thumbnail_url && new URL(asset.thumbnail_url).pathname;
  if (!shown) return <NoPreview />;
  return (
    <Frame>
      {/* biome-ignore lint/performance/noImgElement: a picture of a stranger goes through no optimizer */}
      <img src={shown} alt={asset.filename} className="mx-auto max-h-[70dvh] max-w-full object-contain" />
    </Frame>
  );
}

function TextPreview({ asset }: { asset: AssetPage }) {
  if (asset.text === null)
    return (
      <Frame>
        <EmptyState icon={<FileX />} title="The text cannot be shown right now">
          Its store does not answer. Try again in a moment.
        </EmptyState>
      </Frame>
    );
  return (
    <Frame>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Text"
        className="max-h-[70dvh] overflow-auto p-4 focus-visible:-outline-offset-2"
      >
        <pre className="whitespace-pre-wrap font-mono text-xs leading-5 [overflow-wrap:anywhere]">
          {asset.text === '' ? 'The file is empty.' : asset.text}
        </pre>
      </section>
      {asset.text_is_cut && (
        <p className="border-t px-4 py-2 text-muted text-sm">
          The beginning of it. The download has the rest.
        </p>
      )}
    </Frame>
  );
}

function NoPreview() {
  return (
    <Frame>
      <EmptyState icon={<FileX />} title="No preview">
        Files of this type are not shown here. Download it to open it.
      </EmptyState>
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return <div className="overflow-hidden rounded-lg border bg-sunken">{children}</div>;
}

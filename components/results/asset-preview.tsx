import type { ReactNode } from 'react';
import type { AssetPage } from '@/server/assets/schema';
import { EmptyState } from '../ui/empty-state';
import { FileText, FileX } from '../ui/icons';

/** A larger image is shown as its thumbnail. */
const MAX_SHOWN_IMAGE_BYTES = 10 * 1024 * 1024;

/**
 * The preview of a file. Nothing in the file can run: it is never framed, and text is never parsed
 * as markup.
 */
export function AssetPreview({ asset, src }: { asset: AssetPage; src: string }) {
  switch (asset.preview) {
    case 'image':
      return <Picture asset={asset} src={src} />;
    case 'video':
      return (
        <Frame>
          {/* biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions */}
          <video controls preload="metadata" src={src} className="max-h-[70dvh] w-full" />
        </Frame>
      );
    case 'audio':
      return (
        <Frame>
          {/* biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions */}
          <audio controls preload="metadata" src={src} className="w-full p-4" />
        </Frame>
      );
    case 'text':
      return <TextPreview asset={asset} />;
    case 'pdf':
      return (
        <Frame>
          <EmptyState icon={<FileText />} title="A PDF document">
            Download the file to read it. PDFs can contain scripts, so they are not opened here.
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
      {/* biome-ignore lint/performance/noImgElement: the optimizer must not decode untrusted images */}
      <img src={shown} alt={asset.filename} className="mx-auto max-h-[70dvh] max-w-full object-contain" />
    </Frame>
  );
}

function TextPreview({ asset }: { asset: AssetPage }) {
  if (asset.text === null)
    return (
      <Frame>
        <EmptyState icon={<FileX />} title="The text cannot be shown right now">
          The file storage did not respond. Try again in a moment.
        </EmptyState>
      </Frame>
    );
  return (
    <Frame>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
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
          Only the beginning is shown. Download the file to see the rest.
        </p>
      )}
    </Frame>
  );
}

function NoPreview() {
  return (
    <Frame>
      <EmptyState icon={<FileX />} title="No preview">
        This file type has no preview. Download the file to open it.
      </EmptyState>
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return <div className="overflow-hidden rounded-lg border bg-sunken">{children}</div>;
}

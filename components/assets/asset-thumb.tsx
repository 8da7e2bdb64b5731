import type { AssetKind, ListedAsset } from '@/server/assets/schema';
import { cn } from '../ui/cn';
import { File, FileText, Film, Image as ImageIcon, Music, Type } from '../ui/icons';
import { toPath } from './to-path';

const ICONS = {
  image: ImageIcon,
  audio: Music,
  video: Film,
  pdf: FileText,
  text: Type,
  other: File,
} as const;

interface AssetThumbProps {
  asset: Pick<ListedAsset, 'kind' | 'thumbnail_url' | 'filename'>;
  /** Size of the icon shown without a thumbnail. */
  size?: 'sm' | 'lg';
  className?: string;
}

/**
 * The thumbnail of a file, or an icon for its kind. Its alt text is empty: the name is next to it.
 */
export function AssetThumb({ asset, size = 'lg', className }: AssetThumbProps) {
  return (
    <span
      className={cn('flex items-center justify-center overflow-hidden bg-sunken contain-layout', className)}
    >
      {asset.thumbnail_url ? (
        // biome-ignore lint/performance/noImgElement: the thumbnail is small and needs no optimizer
        <img
          src={toPath(asset.thumbnail_url)}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-contain"
        />
      ) : (
        <KindIcon kind={asset.kind} className={size === 'lg' ? 'size-8' : 'size-4'} />
      )}
    </span>
  );
}

function KindIcon({ kind, className }: { kind: AssetKind; className: string }) {
  const Icon = ICONS[kind];
  return <Icon aria-hidden strokeWidth={1.5} className={cn('text-muted', className)} />;
}

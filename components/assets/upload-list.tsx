'use client';

import { formatBytes } from '../shared/format-bytes';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { CopyButton } from '../ui/copy-button';
import { IconButton } from '../ui/icon-button';
import { CircleAlert, CircleCheck, LoaderCircle, RotateCw, X } from '../ui/icons';
import { Meter } from '../ui/meter';
import type { Upload } from './use-uploads';

interface UploadListProps {
  uploads: readonly Upload[];
  onRemove: (id: number) => void;
  onAgain: (id: number) => void;
  onClear: () => void;
  onOpen: (assetId: string) => void;
}

/** Uploads in progress, finished ones, and failed ones with the reason. */
export function UploadList({ uploads, onRemove, onAgain, onClear, onOpen }: UploadListProps) {
  const under = uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const done = uploads.filter(({ state }) => state === 'done').length;
  const failed = uploads.length - under - done;
  const words = [`${done} of ${uploads.length} uploaded`, failed > 0 && `${failed} failed`]
    .filter(Boolean)
    .join(', ');
  return (
    <Card>
      <CardHeader
        title="Uploads"
        description={<span role="status">{words}</span>}
        actions={
          under < uploads.length && (
            <Button size="sm" variant="ghost" onClick={onClear}>
              Clear finished
            </Button>
          )
        }
      />
      <ul className="max-h-60 divide-y overflow-y-auto" aria-label="Uploads">
        {uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            onRemove={() => onRemove(upload.id)}
            onAgain={() => onAgain(upload.id)}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </Card>
  );
}

const ICONS = {
  waiting: <LoaderCircle aria-hidden className="size-4 text-muted" />,
  sending: (
    <LoaderCircle aria-hidden className="size-4 animate-spin text-accent motion-reduce:animate-pulse-soft" />
  ),
  done: <CircleCheck aria-hidden className="size-4 text-success" />,
  failed: <CircleAlert aria-hidden className="size-4 text-danger" />,
} as const;

interface UploadRowProps {
  upload: Upload;
  onRemove: () => void;
  onAgain: () => void;
  onOpen: (assetId: string) => void;
}

function UploadRow({ upload, onRemove, onAgain, onOpen }: UploadRowProps) {
  const { file, state, sentBytes, problem, again, result } = upload;
  const under = state === 'waiting' || state === 'sending';
  return (
    <li className="flex items-center gap-3 px-4 py-1.5 text-sm sm:px-5">
      {ICONS[state]}
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="min-w-0 truncate font-medium">{file.name}</span>
          <span className="whitespace-nowrap text-muted">{progressText(upload)}</span>
        </div>
        {under && (
          <Meter
            kind="progress"
            className="mt-1.5"
            label={`Uploading ${file.name}`}
            value={sentBytes}
            max={Math.max(1, file.size)}
            valueText={progressText(upload)}
          />
        )}
        {problem && (
          <p role="alert" className="mt-0.5 text-danger">
            {problem}
          </p>
        )}
      </div>
      <div className="flex shrink-0 items-center gap-1">
        {result && (
          <>
            <CopyButton value={result.asset_id} label={`Copy id of ${file.name}`} />
            <Button size="sm" variant="ghost" onClick={() => onOpen(result.asset_id)}>
              View<span className="sr-only"> {file.name}</span>
            </Button>
          </>
        )}
        {state === 'failed' && again && (
          <IconButton label={`Retry ${file.name}`} onClick={onAgain}>
            <RotateCw aria-hidden />
          </IconButton>
        )}
        {state !== 'done' && (
          <IconButton label={under ? `Cancel ${file.name}` : `Dismiss ${file.name}`} onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        )}
      </div>
    </li>
  );
}

function progressText({ file, state, sentBytes }: Upload): string {
  if (state === 'waiting') return 'Waiting';
  if (state !== 'sending') return formatBytes(file.size);
  // All bytes are sent; the gateway is still storing the file.
  if (sentBytes >= file.size) return 'Storing';
  return `${Math.floor((sentBytes / file.size) * 100)}% of ${formatBytes(file.size)}`;
}

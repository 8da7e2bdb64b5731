'use client';

import { useRef, useState } from 'react';
import type { UploadResult } from '@/server/assets/schema';
import type { ErrorBody } from '@/server/core/errors/schema';
import { formatBytes } from '../shared/format-bytes';
import { errorText } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { ErrorState } from '../ui/error-state';
import { Upload } from '../ui/icons';
import { SkeletonRows } from '../ui/skeleton';
import { useOwnAssets } from './queries';
import { SAMPLES } from './samples';

const UPLOAD_PATH = '/dashboard/assets/upload';
const UNREACHABLE = 'The gateway did not respond. Check your connection and try again.';

interface FileChooserProps {
  /** The accepted media type: `image/*`. */
  mediaType: string;
  onChoose: (assetId: string) => void;
}

/**
 * Chooses a file: an asset of the person, an upload, or a sample. Files of the accepted type come
 * first.
 */
export function FileChooser({ mediaType, onChoose }: FileChooserProps) {
  return (
    <div className="flex flex-col gap-6">
      <UploadRow mediaType={mediaType} onChoose={onChoose} />
      <Section title="Your files">
        <OwnFiles mediaType={mediaType} onChoose={onChoose} />
      </Section>
      <Section title="Samples">
        <ul className="divide-y rounded-lg border">
          {sortMatchingFirst(SAMPLES, mediaType, (sample) => sample.type).map((sample) => (
            <FileRow
              key={sample.id}
              name={sample.name}
              about={sample.about}
              onChoose={() => onChoose(sample.id)}
            />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">{title}</h3>
      {children}
    </section>
  );
}

function FileRow({ name, about, onChoose }: { name: string; about: React.ReactNode; onChoose: () => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={onChoose}
        className="flex w-full items-baseline justify-between gap-4 px-3 py-2 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 truncate">{name}</span>
        <span className="shrink-0 text-muted text-xs">{about}</span>
      </button>
    </li>
  );
}

/** Whether a media type matches the accepted one: `image/png` matches `image/*`. */
function matchesMediaType(type: string, wanted: string): boolean {
  const [kind] = wanted.split('/');
  return wanted === '*/*' || type === wanted || (wanted.endsWith('/*') && type.startsWith(`${kind}/`));
}

function sortMatchingFirst<T>(files: readonly T[], wanted: string, typeOf: (file: T) => string): T[] {
  return [...files].sort(
    (a, b) => Number(matchesMediaType(typeOf(b), wanted)) - Number(matchesMediaType(typeOf(a), wanted)),
  );
}

function OwnFiles({ mediaType, onChoose }: FileChooserProps) {
  const { data, isError, error, refetch, isFetching } = useOwnAssets();
  if (isError && !data)
    return (
      <ErrorState title="Your files could not be loaded" onRetry={() => refetch()} retrying={isFetching}>
        {errorText(error)}
      </ErrorState>
    );
  if (!data) return <SkeletonRows rows={3} label="Loading your files" />;
  if (data.length === 0)
    return <p className="text-muted text-sm">No files yet. Upload one or use a sample.</p>;
  return (
    <ul className="max-h-56 divide-y overflow-y-auto rounded-lg border">
      {sortMatchingFirst(data, mediaType, (asset) => asset.content_type).map((asset) => (
        <FileRow
          key={asset.asset_id}
          name={asset.filename}
          about={
            <>
              {formatBytes(asset.size_bytes)}, <DateTime at={asset.created_at} format="date" />
            </>
          }
          onChoose={() => onChoose(asset.asset_id)}
        />
      ))}
    </ul>
  );
}

function UploadRow({ mediaType, onChoose }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function send(file: File) {
    setBusy(true);
    setProblem(null);
    const sent = await upload(file).catch(() => UNREACHABLE);
    setBusy(false);
    if (typeof sent === 'string') setProblem(sent);
    else onChoose(sent.asset_id);
  }

  return (
    <div className="flex flex-col gap-2">
      <input
        ref={input}
        type="file"
        aria-label="File from this computer"
        accept={mediaType === '*/*' ? undefined : mediaType}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file) void send(file);
        }}
      />
      <Button busy={busy} className="w-fit" onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        Upload a file
      </Button>
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problem}
      </p>
    </div>
  );
}

/** Uploads a file. Returns an error message if it was rejected. */
async function upload(file: File): Promise<UploadResult | string> {
  const body = new FormData();
  body.append('file', file);
  const response = await fetch(UPLOAD_PATH, { method: 'POST', body });
  if (response.ok) return (await response.json()) as UploadResult;
  const refused = (await response.json().catch(() => null)) as ErrorBody | null;
  return refused ? `${refused.error.message} ${refused.error.resolution_hint}` : UNREACHABLE;
}

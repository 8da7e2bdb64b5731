'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { UploadResult } from '@/server/assets/schema';
import { formatBytes } from '../shared/format-bytes';
import { assetKey } from './queries';
import { sendFile, UploadProblem } from './send-file';

/** More parallel uploads are no faster, and would make small files wait for large ones. */
const AT_ONCE = 3;
/** The thumbnail is created after the file is stored. */
const THUMBNAIL_MS = 1_500;

export interface Upload {
  id: number;
  file: File;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  sentBytes: number;
  problem: string | null;
  /** Whether a retry may succeed. */
  again: boolean;
  result: UploadResult | null;
}

let lastId = 0;

function createUpload(file: File, limitBytes: number): Upload {
  const tooLarge = file.size > limitBytes;
  return {
    id: ++lastId,
    file,
    state: tooLarge ? 'failed' : 'waiting',
    sentBytes: 0,
    problem: tooLarge
      ? `${formatBytes(file.size)} is too large: the limit is ${formatBytes(limitBytes)} per file. Compress or split the file.`
      : null,
    again: false,
    result: null,
  };
}

/** Asks the person to confirm before they leave the page during an upload. */
function useLeaveWarning(busy: boolean): void {
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);
}

/**
 * The uploads of this page, a few in parallel. Each can be cancelled, and retried if that may help.
 */
export function useUploads(limitBytes: number) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const running = useRef(new Map<number, AbortController>());

  const change = useCallback((id: number, next: Partial<Upload>) => {
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)));
  }, []);

  const send = useCallback(
    async ({ id, file }: Upload) => {
      const controller = new AbortController();
      running.current.set(id, controller);
      change(id, { state: 'sending', sentBytes: 0, problem: null });
      try {
        const result = await sendFile(file, {
          signal: controller.signal,
          onProgress: (sentBytes) => change(id, { sentBytes }),
        });
        change(id, { state: 'done', sentBytes: file.size, result });
        void queries.invalidateQueries({ queryKey: assetKey.all });
        if (result.content_type.startsWith('image/'))
          setTimeout(() => void queries.invalidateQueries({ queryKey: assetKey.all }), THUMBNAIL_MS);
      } catch (error) {
        if (controller.signal.aborted) return;
        const known = error instanceof UploadProblem;
        change(id, {
          state: 'failed',
          problem: known ? error.message : 'The upload failed. Try again.',
          again: known ? error.retryable : true,
        });
      } finally {
        running.current.delete(id);
      }
    },
    [change, queries],
  );

  // Start the next upload whenever a slot is free.
  useEffect(() => {
    const free = AT_ONCE - uploads.filter(({ state }) => state === 'sending').length;
    for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
      if (!running.current.has(upload.id)) void send(upload);
  }, [uploads, send]);

  const busy = uploads.some(({ state }) => state === 'waiting' || state === 'sending');
  useLeaveWarning(busy);

  // On unmount, cancel the uploads: they could no longer be seen or stopped.
  useEffect(() => {
    const { current } = running;
    return () => {
      for (const controller of current.values()) controller.abort();
    };
  }, []);

  return {
    uploads,
    busy,
    add: useCallback(
      (files: readonly File[]) =>
        setUploads((all) => [...all, ...files.map((file) => createUpload(file, limitBytes))]),
      [limitBytes],
    ),
    /** Removes an upload from the list; cancels it if it is in progress. */
    remove: useCallback((id: number) => {
      running.current.get(id)?.abort();
      setUploads((all) => all.filter((upload) => upload.id !== id));
    }, []),
    again: useCallback((id: number) => change(id, { state: 'waiting', problem: null }), [change]),
    clear: useCallback(
      () => setUploads((all) => all.filter(({ state }) => state === 'waiting' || state === 'sending')),
      [],
    ),
  };
}

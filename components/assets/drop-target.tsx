'use client';

import { useEffect, useState } from 'react';
import { Upload } from '../ui/icons';

interface DropTargetProps {
  onFiles: (files: readonly File[]) => void;
  /** Called when something without files was dropped, such as a folder. */
  onFolder: () => void;
}

/** Accepts files dropped anywhere on the page, and files pasted outside of text fields. */
export function DropTarget({ onFiles, onFolder }: DropTargetProps) {
  const [over, setOver] = useState(false);

  useEffect(() => {
    // Each nested element fires enter and leave, so the drag is over when the counts match.
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      depth++;
      setOver(true);
    };
    const hover = (event: DragEvent) => {
      if (hasFiles(event.dataTransfer)) event.preventDefault();
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      handleDrop(event.dataTransfer, onFiles, onFolder);
    };
    const paste = (event: ClipboardEvent) => {
      const target = event.target;
      if (target instanceof Element && target.closest('input, textarea, [contenteditable], [role=dialog]'))
        return;
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files.map(withUniqueName));
    };
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragover', hover);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragover', hover);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
      window.removeEventListener('paste', paste);
    };
  }, [onFiles, onFolder]);

  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-40 flex animate-fade-in items-center justify-center bg-bg/85 p-6">
      <div className="flex size-full flex-col items-center justify-center gap-3 rounded-xl border-2 border-accent border-dashed text-center">
        <Upload aria-hidden className="size-8 text-accent" />
        <p className="font-semibold text-lg">Drop to upload</p>
        <p className="text-muted">Anywhere on the page, as many files as you like.</p>
      </div>
    </div>
  );
}

function hasFiles(data: DataTransfer | null): data is DataTransfer {
  return data?.types.includes('Files') ?? false;
}

function handleDrop(data: DataTransfer, onFiles: DropTargetProps['onFiles'], onFolder: () => void): void {
  const entries = [...data.items].filter((item) => item.kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory ?? false;
  const files = entries
    .filter((item) => !isFolder(item))
    .flatMap((item) => {
      const file = item.getAsFile();
      return file ? [file] : [];
    });
  if (files.length < entries.length) onFolder();
  if (files.length > 0) onFiles(files);
}

/** Every image in the clipboard is named image.png, so a timestamp makes the name unique. */
function withUniqueName(file: File): File {
  if (file.name !== 'image.png') return file;
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-').replace('T', '-');
  return new File([file], `pasted-${moment}.png`, { type: file.type });
}

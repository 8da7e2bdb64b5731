import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-button';

/** An id or a command, with a copy button. */
export function CopyId({ id, noun, className }: { id: string; noun: string; className?: string }) {
  return (
    <span className={cn('inline-flex min-w-0 max-w-full items-center gap-1', className)}>
      <code className="truncate font-mono text-sm">{id}</code>
      <CopyButton value={id} label={`Copy the ${noun}`} />
    </span>
  );
}

import { CopyButton } from '../ui/copy-button';

export function Id({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex items-center justify-end gap-1">
      <code className="min-w-0 break-all font-mono text-xs">{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}

import { useId } from 'react';
import { Switch } from '../ui/switch';

/** Switches between the pages of calls and the newest ones as they end. */
export function TailSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <span className="flex items-center gap-2 text-sm">
      <span id={id}>Live tail</span>
      <Switch aria-labelledby={id} checked={on} onCheckedChange={onChange} />
    </span>
  );
}

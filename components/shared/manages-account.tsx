import { Checkbox } from '../ui/checkbox';

interface ManagesAccountProps {
  checked: boolean;
  onChange: (manages: boolean) => void;
}

/**
 * The permission to manage the account, worded the same when claiming a key and when editing it.
 */
export function ManagesAccount({ checked, onChange }: ManagesAccountProps) {
  return (
    <Checkbox
      label="Let this key manage the account (create keys, buy credit, change settings)"
      hint="Without it, the key calls tools and spends your credit."
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

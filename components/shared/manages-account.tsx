import { Checkbox } from '../ui/checkbox';

interface ManagesAccountProps {
  checked: boolean;
  onChange: (manages: boolean) => void;
}

/** Whether a key may manage the account: asked in the same words when it is claimed and later. */
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

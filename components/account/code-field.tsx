import { MAX_CODE_LENGTH } from '@/server/identity/factor/limits';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

interface CodeFieldProps {
  error: string | undefined;
  /** Whether a recovery code works too. */
  recovery?: boolean;
  value?: string;
  onChange?: (value: string) => void;
}

/** Asks for a code of the authenticator app, as the field `code`. */
export function CodeField({ error, recovery = true, value, onChange }: CodeFieldProps) {
  return (
    <Field
      label="Code"
      hint={
        recovery
          ? 'From your authenticator app, or a recovery code.'
          : 'The six digits that your app shows for this account.'
      }
      error={error}
      className="text-ink"
    >
      <Input
        name="code"
        value={value}
        onChange={onChange && ((event) => onChange(event.target.value))}
        maxLength={MAX_CODE_LENGTH}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        inputMode={recovery ? 'text' : 'numeric'}
        className="font-mono"
      />
    </Field>
  );
}

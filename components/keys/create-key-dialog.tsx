'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { MAX_KEY_NAME_LENGTH } from '@/server/identity/keys/limits';
import type { IssuedApiKey } from '@/server/identity/keys/schema';
import { readAmount } from '../shared/amount';
import { callSamples } from '../shared/call-samples';
import { DialogForm } from '../shared/dialog-form';
import { queryKey } from '../shared/queries';
import { envLines, exportKey, FIRST_CALL, mcpConfig } from '../shared/snippets';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { DateTime } from '../ui/date-time';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { SecretReveal } from '../ui/secret-reveal';
import { MainRulesFields, OtherRulesFields } from './key-rules-fields';
import { allowsFirstCall } from './key-samples';
import { describeRules, RULE_LABELS, readRules } from './read-rules';

const LIMIT_FIELD = 'Credit limit';
/** The fields outside of the part that is closed at first. */
const MAIN_RULES: ReadonlySet<string> = new Set(['spend_limit.amount_usd', 'allowed_tools']);

interface CreateKeyDialogProps {
  team: { slug: string; name: string } | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Takes the focus when the dialog closes. */
  opener: RefObject<HTMLButtonElement | null>;
}

/**
 * Asks for a name and a limit, then shows the secret once. The secret exists only in this
 * component's state, in no query or mutation cache, and is dropped when the dialog closes.
 */
export function CreateKeyDialog({ team, open, onOpenChange, opener }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<IssuedApiKey | null>(null);

  function change(next: boolean) {
    if (!next) {
      setCreated(null);
      // After the dialog has released the focus: without a trigger of its own, it cannot restore
      // it.
      setTimeout(() => opener.current?.focus());
    }
    onOpenChange(next);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      sticky={created !== null}
      title={created ? 'Your new key' : team ? `Create a key of ${team.name}` : 'Create a key'}
      description={
        created ? (
          <Summary created={created} />
        ) : team ? (
          'It works immediately, spends from the team’s balance and cannot manage the team.'
        ) : (
          'It works immediately and spends from this account’s balance.'
        )
      }
      className={created ? 'sm:top-[6vh] sm:max-h-[88vh] sm:max-w-2xl' : undefined}
    >
      {created ? <Created created={created} /> : <CreateForm billing={team?.slug} onCreated={setCreated} />}
    </Dialog>
  );
}

interface CreateFormProps {
  billing: string | undefined;
  onCreated: (key: IssuedApiKey) => void;
}

function CreateForm({ billing, onCreated }: CreateFormProps) {
  const queries = useQueryClient();
  const labels = { name: 'Name', credits: LIMIT_FIELD, ...RULE_LABELS };
  const form = useSubmit(labels, async (read) => {
    const limit = read('credits');
    const amount = limit === '' ? null : readAmount(LIMIT_FIELD, limit);
    if (amount && 'problem' in amount) throw new InputProblem(amount.problem, 'credits');
    const created = await trpc.keys.create.mutate({
      name: read('name') || undefined,
      credits: amount?.usd,
      billing,
      ...readRules(read),
    });
    // Over tRPC there is no Idempotency-Key and so no replayed response: the secret is always
    // present.
    if (typeof created.secret === 'string') onCreated({ ...created, secret: created.secret });
    await queries.invalidateQueries({ queryKey: queryKey.keys });
  });
  const hasRuleError = Object.keys(RULE_LABELS).some(
    (field) => !MAIN_RULES.has(field) && form.fieldError(field as keyof typeof RULE_LABELS),
  );
  return (
    <DialogForm form={form} confirmLabel="Create key">
      <Field
        label="Name"
        hint="Where this key is used, to help you recognise it."
        error={form.fieldError('name')}
      >
        <Input name="name" maxLength={MAX_KEY_NAME_LENGTH} autoComplete="off" placeholder="API key" />
      </Field>
      <MainRulesFields fieldError={form.fieldError} />
      <Field
        label={LIMIT_FIELD}
        optional
        hint="The most it may spend in total, in dollars. Empty: no limit besides the balance."
        error={form.fieldError('credits')}
      >
        <Input name="credits" inputMode="decimal" autoComplete="off" placeholder="5.00" />
      </Field>
      <details open={hasRuleError || undefined}>
        <summary className="cursor-pointer font-medium text-sm">
          Expiry, networks, call limits and tags
        </summary>
        <div className="mt-4 flex flex-col gap-4">
          <OtherRulesFields billing={billing} fieldError={form.fieldError} />
        </div>
      </details>
    </DialogForm>
  );
}

/** The name of the key and its rules: `research agent: $5.00 a week, 2 tools`. */
function Summary({ created }: { created: IssuedApiKey }) {
  const rules = describeRules(created);
  return (
    <>
      <span className="font-medium text-ink">{created.name}</span>
      {rules.map((rule) => ` · ${rule}`)}
      {created.expires_at && (
        <>
          {' '}
          · until <DateTime at={created.expires_at} format="exact" />
        </>
      )}
      {rules.length === 0 && ' · all tools, no limit besides the balance'}
    </>
  );
}

function Created({ created }: { created: IssuedApiKey }) {
  const top = useRef<HTMLDivElement>(null);
  // The form's button is gone: move the focus to the secret, from where the form was scrolled to.
  useEffect(() => {
    top.current?.focus({ preventScroll: true });
    top.current?.closest('[role=dialog]')?.scrollTo(0, 0);
  }, []);
  return (
    <div ref={top} tabIndex={-1} className="flex min-w-0 flex-col gap-4 focus:outline-none">
      <SecretReveal secret={created.secret} label="API key" />
      <div className="flex min-w-0 flex-col gap-2">
        <p className="font-medium text-sm">Set it as an environment variable to keep it out of your code</p>
        <CodeBlock
          label="Key as an environment variable"
          wrap
          samples={[
            { language: 'shell', code: exportKey(created.secret) },
            { language: '.env', code: envLines(window.location.origin, created.secret) },
          ]}
        />
      </div>
      {allowsFirstCall(created) && (
        <div className="flex min-w-0 flex-col gap-2">
          <p className="font-medium text-sm">Make a first call. It works as is, and it’s free</p>
          <CodeBlock
            label="First call with the new key"
            samples={callSamples(window.location.origin, FIRST_CALL)}
            bodyClassName="max-h-60"
          />
        </div>
      )}
      <div className="flex min-w-0 flex-col gap-2">
        <p className="font-medium text-sm">Or connect an MCP client, such as Claude Code or Cursor</p>
        <CodeBlock
          label="MCP configuration"
          samples={[{ language: 'MCP', code: mcpConfig(window.location.origin, created.secret) }]}
          bodyClassName="max-h-60"
        />
      </div>
      <DialogActions>
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}

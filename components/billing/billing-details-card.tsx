'use client';

import { useState } from 'react';
import type { BillingDetails } from '@/server/money/invoices/schema';
import { fieldProblem, problemText } from '../shared/problem';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Notice } from '../ui/notice';
import { Textarea } from '../ui/textarea';
import { toast } from '../ui/toast';
import { type Billing, useDetails, useSaveDetails } from './queries';
import { SaveRow } from './save-row';

const FIELDS = ['company_name', 'address', 'vat_id', 'billing_email'] as const;
type Draft = Record<(typeof FIELDS)[number], string>;

interface BillingDetailsCardProps {
  billing: Billing;
  initial: BillingDetails;
}

/** The customer as receipts and new invoices name it. */
export function BillingDetailsCard({ billing, initial }: BillingDetailsCardProps) {
  const form = useDetailsForm(billing, initial);

  function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    form.submit();
  }

  return (
    <Card id="billing-details" className="scroll-mt-20">
      <CardHeader
        title="Billing details"
        description="Shown on the receipts and invoices of purchases from now on. Earlier receipts keep theirs; one made without any can be completed once."
      />
      <CardBody>
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Field label="Company name" optional error={form.problems.company_name}>
            <Input {...form.input('company_name')} autoComplete="organization" />
          </Field>
          <Field label="Address" optional error={form.problems.address}>
            <Textarea {...form.input('address')} rows={3} autoComplete="street-address" />
          </Field>
          <Field
            label="VAT ID"
            optional
            hint="An EU VAT ID, such as DE123456789. Its format is checked, not its validity."
            error={form.problems.vat_id}
          >
            <Input {...form.input('vat_id')} autoComplete="off" />
          </Field>
          <Field
            label="Billing email"
            optional
            hint="Also gets the receipt and invoice of each purchase."
            error={form.problems.billing_email}
          >
            <Input {...form.input('billing_email')} type="email" autoComplete="email" />
          </Field>
          {form.error && (
            <Notice tone="danger" live title="Could not save">
              {problemText(form.error)}
            </Notice>
          )}
          <SaveRow dirty={form.dirty} busy={form.saving} onDiscard={form.discard} />
        </form>
      </CardBody>
    </Card>
  );
}

/** The unsaved details and the saved ones. */
function useDetailsForm(billing: Billing, initial: BillingDetails) {
  const details = useDetails(billing, initial).data;
  const saved: Draft = { ...details, billing_email: details.billing_email ?? '' };
  const [draft, setDraft] = useState<Draft | null>(null);
  const save = useSaveDetails(billing);
  const shown = draft ?? saved;

  function change(part: Partial<Draft>) {
    save.reset();
    const next = { ...shown, ...part };
    setDraft(FIELDS.every((name) => next[name] === saved[name]) ? null : next);
  }

  function submit() {
    const { billing_email: email, ...rest } = shown;
    const onSuccess = () => {
      setDraft(null);
      toast.success('Billing details saved');
    };
    save.mutate({ ...rest, billing_email: email.trim() || null }, { onSuccess });
  }

  const problem = (name: keyof Draft) => fieldProblem(save.error, name);
  const problems = {
    company_name: problem('company_name'),
    address: problem('address'),
    vat_id: problem('vat_id'),
    billing_email: problem('billing_email'),
  };
  return {
    input: (name: keyof Draft) => ({
      name,
      value: shown[name],
      onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        change({ [name]: event.target.value }),
    }),
    problems,
    submit,
    discard: () => change(saved),
    dirty: draft !== null,
    saving: save.isPending,
    /** The error of the last save, unless a field already shows it. */
    error: Object.values(problems).some(Boolean) ? null : save.error,
  };
}

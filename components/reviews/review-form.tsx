'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { MAX_REVIEW_LENGTH } from '@/server/catalog/reviews/limits';
import type { ReviewableTool } from '@/server/catalog/reviews/schema';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Textarea } from '../ui/textarea';
import { StarInput } from './star-input';

/** From this length on, the remaining characters are shown. */
const COUNTER_FROM = 4500;

interface ReviewFormProps {
  tool: ReviewableTool;
  /** The review being edited. */
  initial?: { rating: number; review: string | null };
  /** The input of the last attempt, which the gateway rejected. */
  draft?: { rating: number; review: string } | null;
  /** The error of the last attempt. */
  problem: string | null;
  busy: boolean;
  /** Whether to take the focus on mount, because the person asked for the form. */
  focus?: boolean;
  onSave: (draft: { rating: number; review: string }) => void;
  onCancel?: () => void;
}

/** A rating in stars, with an optional text. */
export function ReviewForm({
  tool,
  initial,
  draft,
  problem,
  busy,
  focus,
  onSave,
  onCancel,
}: ReviewFormProps) {
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const [rating, setRating] = useState(draft?.rating ?? initial?.rating ?? 0);
  const [review, setReview] = useState(draft?.review ?? initial?.review ?? '');
  const [missing, setMissing] = useState(false);

  useEffect(() => {
    if (!focus) return;
    const first = (selector: string) => form.current?.querySelector<HTMLInputElement>(selector);
    (first('input[type=radio]:checked') ?? first('input[type=radio]'))?.focus();
    form.current?.scrollIntoView({ block: 'center' });
  }, [focus]);

  function submit(event: React.FormEvent) {
    event.preventDefault();
    if (busy) return;
    setMissing(rating === 0);
    if (rating === 0) form.current?.querySelector<HTMLInputElement>('input[type=radio]')?.focus();
    else onSave({ rating, review: review.trim() });
  }

  const open = rating > 0 || initial !== undefined;
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div>
        <StarInput
          legend={`Rate ${tool.display_name}`}
          name={name}
          value={rating}
          onChange={(stars) => {
            setRating(stars);
            setMissing(false);
          }}
          className="-ml-1"
        />
        <p role="alert" className="text-danger text-sm empty:hidden">
          {missing && 'Choose a star rating.'}
        </p>
      </div>
      {open && (
        <>
          <ReviewText review={review} onChange={setReview} />
          <p role="alert" className="text-danger text-sm empty:hidden">
            {problem}
          </p>
          <div className="flex gap-2">
            <Button type="submit" variant="primary" busy={busy}>
              {initial ? 'Save changes' : 'Post review'}
            </Button>
            {onCancel && (
              <Button disabled={busy} onClick={onCancel}>
                Cancel
              </Button>
            )}
          </div>
        </>
      )}
    </form>
  );
}

function ReviewText({ review, onChange }: { review: string; onChange: (review: string) => void }) {
  return (
    <Field
      label="In your own words"
      optional
      hint={
        review.length > COUNTER_FROM
          ? `${MAX_REVIEW_LENGTH - review.length} characters left.`
          : 'What worked well, and what did not? Shown on the tool’s page, without your name.'
      }
    >
      <Textarea
        rows={3}
        maxLength={MAX_REVIEW_LENGTH}
        value={review}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

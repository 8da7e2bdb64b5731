'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { OwnReviews, ReviewableTool, ReviewedTool } from '@/server/catalog/reviews/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { Stars } from '../shared/rating';
import { VerifiedMark } from '../shared/review-item';
import { gatewayError } from '../shared/trpc-provider';
import { useUrlQuery } from '../shared/use-url-query';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { Star } from '../ui/icons';
import { PageHeader } from '../ui/page-header';
import { toast } from '../ui/toast';
import { useOwnReviews, useReviewActs } from './queries';
import { ReviewForm } from './review-form';

interface ReviewsPanelProps {
  /** Includes the tool that a link asks to rate, even if this account has never used it. */
  initial: OwnReviews;
}

/** Tools the account has used, unrated ones first, then its reviews. */
export function ReviewsPanel({ initial }: ReviewsPanelProps) {
  const query = useOwnReviews(initial);
  const { to_rate: toRate, reviewed } = query.data ?? initial;
  const { asked } = initial;
  const acts = useActs();
  const [get, set] = useUrlQuery();
  const wanted = get('tool');
  const isThere = [...toRate, ...reviewed].some(({ tool }) => tool === wanted);
  const open = asked && wanted === asked.tool && !isThere ? [asked, ...toRate] : toRate;
  const nothing = open.length === 0 && reviewed.length === 0;
  // Only a review that existed when the link was followed opens for editing.
  const [edited] = useState(() => initial.reviewed.find(({ tool }) => tool === wanted)?.tool);
  const done = () => set({ tool: null });

  return (
    <>
      <PageHeader
        title="Reviews"
        description="Rate the tools you use. Reviews help others choose and are shown without your name."
      />
      {query.isError && nothing ? (
        <Card>
          <ErrorState
            title="Your reviews could not be loaded"
            requestId={gatewayError(query.error)?.request_id}
            onRetry={() => query.refetch()}
            retrying={query.isFetching}
          >
            {problemText(query.error)}
          </ErrorState>
        </Card>
      ) : nothing ? (
        <Card>
          <NothingUsed />
        </Card>
      ) : (
        <>
          <NotRated tools={open} acts={acts} wanted={wanted} onDone={done} />
          {reviewed.length > 0 && (
            <Card>
              <CardHeader title="Your reviews" description={formatCount(reviewed.length, 'review')} />
              <ul aria-label="Your reviews" className="divide-y">
                {reviewed.map((tool) => (
                  <Reviewed
                    key={tool.tool}
                    tool={tool}
                    acts={acts}
                    startsEditing={edited === tool.tool}
                    onDone={done}
                  />
                ))}
              </ul>
            </Card>
          )}
          <p className="max-w-3xl text-muted text-sm">
            A review is marked as verified if your account has called the tool successfully. Each account has
            one review per tool; posting again replaces it.
          </p>
        </>
      )}
    </>
  );
}

type Acts = ReturnType<typeof useActs>;

/** The mutations with their messages: a toast with undo, or an error at the form. */
function useActs() {
  const { save, remove } = useReviewActs();
  return {
    savingTool: save.isPending ? save.variables.tool.tool : null,
    problemOf: (tool: string) =>
      save.isError && save.variables.tool.tool === tool ? problemText(save.error) : null,
    draftOf: (tool: string) => (save.isError && save.variables.tool.tool === tool ? save.variables : null),
    save(draft: Parameters<typeof save.mutate>[0], before: ReviewedTool | null, onDone: () => void) {
      save.mutate(draft, {
        onSuccess: (review) => {
          onDone();
          const { tool } = draft;
          toast.success(before ? 'Review changed' : `${tool.display_name} rated`, {
            undo: () =>
              before
                ? save.mutate({ tool, rating: before.review.rating, review: before.review.review ?? '' })
                : remove.mutate({ ...tool, review, available: true }),
          });
        },
      });
    },
    remove(tool: ReviewedTool) {
      remove.mutate(tool, {
        onSuccess: () =>
          toast.success(`Review of ${tool.display_name} deleted`, {
            // A tool that was removed from the catalogue cannot be rated again.
            ...(tool.available
              ? {
                  undo: () =>
                    save.mutate({ tool, rating: tool.review.rating, review: tool.review.review ?? '' }),
                }
              : {}),
          }),
        onError: (error) => toast.error('Could not delete the review', { description: problemText(error) }),
      });
    },
  };
}

interface NotRatedProps {
  tools: readonly ReviewableTool[];
  acts: Acts;
  /** The tool that a link asks to rate. */
  wanted: string | null;
  onDone: () => void;
}

function NotRated({ tools, acts, wanted, onDone }: NotRatedProps) {
  return (
    <Card>
      <CardHeader
        title="Not rated yet"
        description={tools.length > 0 ? 'Choose the stars; words are optional.' : undefined}
      />
      {tools.length === 0 ? (
        <p className="px-4 py-6 text-muted text-sm sm:px-5">
          You’ve rated every tool you’ve used. Thank you.
        </p>
      ) : (
        <ul aria-label="Not rated yet" className="divide-y">
          {tools.map((tool) => (
            <li
              key={tool.tool}
              className="grid gap-x-8 gap-y-3 px-4 py-4 sm:px-5 lg:grid-cols-[16rem_minmax(0,1fr)]"
            >
              <ToolFacts tool={tool} />
              <ReviewForm
                tool={tool}
                busy={acts.savingTool === tool.tool}
                problem={acts.problemOf(tool.tool)}
                draft={acts.draftOf(tool.tool)}
                focus={wanted === tool.tool}
                onSave={(draft) => acts.save({ tool, ...draft }, null, onDone)}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function ToolFacts({ tool, available = true }: { tool: ReviewableTool; available?: boolean }) {
  return (
    <div className="min-w-0 text-sm">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {available ? (
          <Link href={`/tools/${tool.tool}`} prefetch={false} className="hover:underline">
            {tool.display_name}
          </Link>
        ) : (
          tool.display_name
        )}
        {!available && <Badge>No longer offered</Badge>}
      </p>
      {tool.last_used_at ? (
        <p className="text-muted">
          {formatCount(tool.calls, 'call')}, last used <DateTime at={tool.last_used_at} format="age" />
        </p>
      ) : (
        <p className="text-muted">{tool.subtitle || 'Not used yet'}</p>
      )}
    </div>
  );
}

interface ReviewedProps {
  tool: ReviewedTool;
  acts: Acts;
  /** Whether a link asks to edit this review. */
  startsEditing: boolean;
  onDone: () => void;
}

function Reviewed({ tool, acts, startsEditing: asked, onDone }: ReviewedProps) {
  const [editing, setEditing] = useState(asked && tool.available);
  const { review } = tool;
  const name = <span className="sr-only"> the review of {tool.display_name}</span>;
  const close = () => {
    setEditing(false);
    onDone();
  };
  return (
    <li className="grid gap-x-8 gap-y-3 px-4 py-4 sm:px-5 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <ToolFacts tool={tool} available={tool.available} />
      {editing ? (
        <ReviewForm
          tool={tool}
          initial={review}
          busy={acts.savingTool === tool.tool}
          problem={acts.problemOf(tool.tool)}
          draft={acts.draftOf(tool.tool)}
          focus
          onSave={(draft) => acts.save({ tool, ...draft }, tool, close)}
          onCancel={close}
        />
      ) : (
        <div className="flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <div className="flex min-w-0 max-w-2xl flex-col gap-1.5">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <Stars value={review.rating} />
              {review.verified && <VerifiedMark />}
              <DateTime at={review.updated_at} format="date" className="text-muted" />
            </div>
            {review.review && (
              <p className="whitespace-pre-line text-sm [overflow-wrap:anywhere]">{review.review}</p>
            )}
          </div>
          <div className="-ml-3 flex gap-1 sm:ml-0">
            {tool.available && (
              <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
                Edit{name}
              </Button>
            )}
            <Button size="sm" variant="ghost" className="text-danger" onClick={() => acts.remove(tool)}>
              Delete{name}
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}

function NothingUsed() {
  return (
    <EmptyState
      icon={<Star />}
      title="Nothing to rate yet"
      action={
        <Link href="/tools" className={buttonClass({})}>
          Browse the catalogue
        </Link>
      }
    >
      Tools you’ve called appear here. You can also rate any tool from its page.
    </EmptyState>
  );
}

'use client';

import { useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OrderStatus } from '@/server/money/billing/schema';
import { problemText } from '../shared/problem';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { cn } from '../ui/cn';
import { CircleCheck, CircleSlash, CircleX, Clock, type IconComponent, LoaderCircle } from '../ui/icons';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { PurchaseBreakdown } from './purchase-breakdown';
import { refreshMoney, useOrder } from './queries';

interface PurchaseStatusProps {
  initial: OrderStatus;
  /** Whether the payment page redirected here because the person cancelled. */
  cancelled?: boolean;
}

/** A paid order usually shows as paid sooner. After this delay, offer the payment page again. */
const UNPAID_AFTER_MS = 10_000;

interface StatusMessage {
  icon: IconComponent;
  tone: string;
  title: string;
  text: ReactNode;
}

/** The status of a purchase, polled until it is final. The URL of the redirect is not trusted. */
export function PurchaseStatus({ initial, cancelled = false }: PurchaseStatusProps) {
  const queries = useQueryClient();
  const query = useOrder(initial);
  const order = query.data;
  const refreshed = useRef(false);
  const [late, setLate] = useState(false);

  useEffect(() => {
    const timer = setTimeout(() => setLate(true), UNPAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  // Refresh the balance in the header and all cached billing data, once, when the order is paid.
  useEffect(() => {
    if (order.status !== 'paid' || refreshed.current) return;
    refreshed.current = true;
    void refreshMoney(queries);
  }, [order.status, queries]);

  const { icon: Icon, tone, title, text } = describeStatus(order, cancelled);
  const waiting = order.status === 'open' && !cancelled;
  return (
    <Card className="mx-auto w-full max-w-xl p-5 sm:p-8">
      <div role="status" className="flex flex-col items-start gap-2">
        <Icon
          aria-hidden
          className={cn(
            'size-8 stroke-[1.5]',
            tone,
            waiting && 'animate-spin motion-reduce:animate-pulse-soft',
          )}
        />
        <h1 className="mt-1 font-semibold text-2xl">{title}</h1>
        <div className="text-muted">{text}</div>
      </div>
      <PurchaseBreakdown quote={order} className="mt-6" />
      {order.status === 'paid' && (
        <dl className="mt-1 flex justify-between gap-6 border-t pt-2 text-sm">
          <dt className="text-muted">
            {order.account.slug ? `Available to ${order.account.name} now` : 'Available now'}
          </dt>
          <dd>
            <Money usd={order.available_usd} down className="font-semibold text-success" />
          </dd>
        </dl>
      )}
      {query.isError && (
        <Notice tone="warning" live className="mt-6" title="Could not refresh the status">
          {problemText(query.error)} This page keeps retrying.
        </Notice>
      )}
      <PurchaseActions order={order} cancelled={cancelled} unpaid={cancelled || late} />
    </Card>
  );
}

function describeStatus(order: OrderStatus, cancelled: boolean): StatusMessage {
  switch (order.status) {
    case 'paid':
      return {
        icon: CircleCheck,
        tone: 'text-success',
        title: 'Credit added',
        text:
          order.available_usd > 0
            ? 'You can spend it from the next call.'
            : 'It paid off the account’s debt or is held by running calls, so nothing is available now.',
      };
    case 'processing':
      return {
        icon: Clock,
        tone: 'text-warning',
        title: 'Your bank payment is processing',
        text: 'You can leave this page. The credit is added when the payment arrives.',
      };
    case 'failed':
      return {
        icon: CircleX,
        tone: 'text-danger',
        title: 'The payment failed',
        // Also for a payment that does not match the order: the gateway only knows that it added no
        // credit.
        text: 'No credit was added. Try again or use another payment method. If you were charged anyway, ask the operator of this gateway.',
      };
    case 'expired':
      return {
        icon: CircleSlash,
        tone: 'text-muted',
        title: 'This checkout has expired',
        text: 'It was not paid in time. Nothing was charged and no credit was added.',
      };
    case 'open':
      return cancelled
        ? {
            icon: CircleSlash,
            tone: 'text-muted',
            title: 'Nothing was charged',
            text: order.url
              ? 'You returned without paying. The payment page is still open.'
              : 'You returned without paying.',
          }
        : {
            icon: LoaderCircle,
            tone: 'text-accent',
            title: 'Waiting for the payment provider…',
            text: 'This takes a few seconds. You can leave this page; your credit will still be added.',
          };
    default:
      return order.status satisfies never;
  }
}

interface PurchaseActionsProps {
  order: OrderStatus;
  cancelled: boolean;
  /** Whether the order still seems unpaid: then the link back to the payment page is shown. */
  unpaid: boolean;
}

/** Next steps, the most likely one first. */
function PurchaseActions({ order, cancelled, unpaid }: PurchaseActionsProps) {
  const { slug } = order.account;
  const billing = `/dashboard/billing${slug ? `?billing=${encodeURIComponent(slug)}` : ''}`;
  const again =
    order.status === 'failed' || order.status === 'expired' || (order.status === 'open' && cancelled);
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      {order.status === 'paid' && order.payment_id && (
        <Link
          href={`/dashboard/billing/receipts/${order.payment_id}`}
          className={buttonClass({ variant: 'primary' })}
        >
          View receipt
        </Link>
      )}
      {order.status === 'open' && order.url && unpaid && (
        <a href={order.url} className={buttonClass({ variant: cancelled ? 'primary' : 'secondary' })}>
          {cancelled ? 'Complete payment' : 'Back to the payment page'}
        </a>
      )}
      {again ? (
        <Link
          href={billing}
          className={buttonClass({ variant: order.status === 'open' && order.url ? 'secondary' : 'primary' })}
        >
          Start again
        </Link>
      ) : (
        <Link href={`${billing}#statement`} className={buttonClass()}>
          {order.status === 'paid' ? 'View statement' : 'Go to Billing'}
        </Link>
      )}
    </div>
  );
}

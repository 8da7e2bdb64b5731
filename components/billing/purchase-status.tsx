'use client';

import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, CircleX, Clock, LoaderCircle, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OrderStatus } from '@/server/money/billing/schema';
import { problemText } from '../shared/problem';
import { buttonClass } from '../ui/button';
import { Card } from '../ui/card';
import { cn } from '../ui/cn';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { PurchaseBreakdown } from './purchase-breakdown';
import { refreshMoney, useOrder } from './queries';

interface PurchaseStatusProps {
  initial: OrderStatus;
  /** Came back without paying, as far as the payment page knows. */
  cancelled?: boolean;
}

/** Who has paid is told sooner than this; who is still here then may not have. */
const UNPAID_AFTER_MS = 10_000;

interface Telling {
  icon: LucideIcon;
  tone: string;
  title: string;
  text: ReactNode;
}

/** How a purchase stands, whatever the address says that led here; watched until it is over. */
export function PurchaseStatus({ initial, cancelled = false }: PurchaseStatusProps) {
  const queries = useQueryClient();
  const query = useOrder(initial);
  const order = query.data;
  const told = useRef(false);
  const [late, setLate] = useState(false);

  useEffect(() => {
    const timer = setTimeout(() => setLate(true), UNPAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  // The header and whatever was kept from before the purchase show the new credit too, also when the page was opened late.
  useEffect(() => {
    if (order.status !== 'paid' || told.current) return;
    told.current = true;
    void refreshMoney(queries);
  }, [order.status, queries]);

  const { icon: Icon, tone, title, text } = tell(order, cancelled);
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
            {order.account.slug ? `Balance of ${order.account.name}` : 'Balance now'}
          </dt>
          <dd>
            <Money usd={order.available_usd} className="font-semibold text-success" />
          </dd>
        </dl>
      )}
      {query.isError && (
        <Notice tone="warning" live className="mt-6" title="The newest state could not be read">
          {problemText(query.error)} This page goes on asking.
        </Notice>
      )}
      <PurchaseActions order={order} cancelled={cancelled} unpaid={cancelled || late} />
    </Card>
  );
}

function tell(order: OrderStatus, cancelled: boolean): Telling {
  switch (order.status) {
    case 'paid':
      return {
        icon: CircleCheck,
        tone: 'text-success',
        title: 'Credit added',
        text:
          order.available_usd > 0
            ? 'It can be spent from the next call on.'
            : 'It went to what the account owed, or running calls hold it: nothing is left to spend now.',
      };
    case 'processing':
      return {
        icon: Clock,
        tone: 'text-warning',
        title: 'Your bank is still sending it',
        text: 'You can leave this page: the credit is added when the money arrives.',
      };
    case 'failed':
      return {
        icon: CircleX,
        tone: 'text-danger',
        title: 'The payment failed',
        // Also where it was taken and does not fit the order: what the gateway knows for sure is what it did not add.
        text: 'No credit was added. Try again, with another way to pay if it happens again. Should the money have left your account all the same, ask the operator of this gateway.',
      };
    case 'expired':
      return {
        icon: CircleSlash,
        tone: 'text-muted',
        title: 'This checkout has run out',
        text: 'It was not paid in time. Nothing was charged and no credit was added.',
      };
    case 'open':
      return cancelled
        ? {
            icon: CircleSlash,
            tone: 'text-muted',
            title: 'Nothing was charged',
            text: order.url
              ? 'You came back without paying. The payment page is still open for you.'
              : 'You came back without paying.',
          }
        : {
            icon: LoaderCircle,
            tone: 'text-accent',
            title: 'Waiting for the payment provider…',
            text: 'This takes a few seconds. You can leave this page: paid credit is added all the same.',
          };
    default:
      return order.status satisfies never;
  }
}

interface PurchaseActionsProps {
  order: OrderStatus;
  cancelled: boolean;
  /** It looks as if nobody had paid: the way back to the payment page is shown. */
  unpaid: boolean;
}

/** Where to go from here, the likely one first. */
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
          See the receipt
        </Link>
      )}
      {order.status === 'open' && order.url && unpaid && (
        <a href={order.url} className={buttonClass({ variant: cancelled ? 'primary' : 'secondary' })}>
          {cancelled ? 'Pay after all' : 'Back to the payment page'}
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
          {order.status === 'paid' ? 'See the statement' : 'Go to Billing'}
        </Link>
      )}
    </div>
  );
}

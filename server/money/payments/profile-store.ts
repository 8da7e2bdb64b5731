import { and, eq, lt, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, text } from '@/db/rows';
import { type PaymentMode, paymentProfiles } from '@/db/schema/payments';
import type { SavedCard } from '../../platform/ports/ports';
import { nextTicket } from './store';

export type PaymentProfile = typeof paymentProfiles.$inferSelect;

export async function findProfile(
  db: Executor,
  accountId: string,
  mode: PaymentMode,
): Promise<PaymentProfile | null> {
  const [row] = await db
    .select()
    .from(paymentProfiles)
    .where(and(eq(paymentProfiles.accountId, accountId), eq(paymentProfiles.mode, mode)));
  return row ?? null;
}

/** Identifies a payment profile. */
export interface ProfileName {
  accountId: string;
  mode: PaymentMode;
  customerId: string;
}

/** Stores the customer of an account; an existing one is not replaced. */
export async function insertProfile(db: Executor, name: ProfileName): Promise<void> {
  await db.insert(paymentProfiles).values(name).onConflictDoNothing();
}

const NO_CARD = {
  paymentMethodId: null,
  cardBrand: null,
  cardLast4: null,
  cardExpMonth: null,
  cardExpYear: null,
};

const isProfile = ({ accountId, mode, customerId }: ProfileName) =>
  and(
    eq(paymentProfiles.accountId, accountId),
    eq(paymentProfiles.mode, mode),
    eq(paymentProfiles.customerId, customerId),
  );

/**
 * Stores the card that auto-recharge charges, or removes it. A closed account gets none.
 * @param card null if the customer has no card
 * @param ticket of the snapshot that found it; an older one changes nothing
 */
export async function writeCard(
  tx: Executor,
  name: ProfileName,
  card: SavedCard | null,
  ticket: bigint,
): Promise<void> {
  const columns = card
    ? {
        paymentMethodId: card.paymentMethodId,
        cardBrand: card.brand,
        cardLast4: card.last4,
        cardExpMonth: card.expMonth,
        cardExpYear: card.expYear,
      }
    : NO_CARD;
  await tx
    .update(paymentProfiles)
    .set({ ticket, ...columns, updatedAt: sql`now()` })
    .where(
      and(
        lt(paymentProfiles.ticket, ticket),
        sql`not exists (select 1 from accounts a where a.id = ${name.accountId} and a.closed_at is not null)`,
        isProfile(name),
      ),
    );
}

/** Finds the profile of a customer at the provider. */
export async function findProfileByCustomer(
  db: Executor,
  mode: PaymentMode,
  customerId: string,
): Promise<PaymentProfile | null> {
  const [row] = await db
    .select()
    .from(paymentProfiles)
    .where(and(eq(paymentProfiles.mode, mode), eq(paymentProfiles.customerId, customerId)));
  return row ?? null;
}

const receiverRow = defineRow({ email: text() });

/** The owner's email address, which receives the account's receipts. */
export async function findReceiver(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await receiverRow.read(
    db.execute(sql`
      select u.email from accounts a join users u on u.id = a.owner_user_id where a.id = ${accountId}`),
  );
  return row?.email ?? null;
}

export async function replaceCustomer(db: Executor, name: ProfileName, renewed: string): Promise<void> {
  await db
    .update(paymentProfiles)
    .set({ customerId: renewed, ...NO_CARD, ticket: await nextTicket(db), updatedAt: sql`now()` })
    .where(isProfile(name));
}

/** Removes an account's saved cards and switches auto-recharge off. */
export async function stopPaying(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts set auto_reload_enabled = false, reload_wanted_at = null
    where id = ${accountId}`);
  await tx.update(paymentProfiles).set(NO_CARD).where(eq(paymentProfiles.accountId, accountId));
}

import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** The operator's choice of who may sign up: one row, which replaces SIGN_UP_POLICY. */
export const signUpPolicy = pgTable(
  'sign_up_policy',
  {
    id: boolean().primaryKey().default(true),
    policy: text().$type<'open' | 'invite' | 'domains'>().notNull(),
    domains: text().array().notNull().default(sql`'{}'`),
    updatedBy: text().notNull(),
    updatedAt: instant().notNull().defaultNow(),
  },
  () => [
    check('sign_up_policy_one_row', sql`id`),
    check('sign_up_policy_known', sql`policy in ('open', 'invite', 'domains')`),
    check('sign_up_policy_has_domains', sql`policy <> 'domains' or cardinality(domains) > 0`),
  ],
);

/** Invitations to sign up, sent by operators; the first sign-in of the address uses one up. */
export const signUpInvitations = pgTable(
  'sign_up_invitations',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    createdBy: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [
    uniqueIndex('sign_up_invitations_open').on(table.email).where(sql`used_at is null`),
    check('sign_up_invitations_email_lower', sql`email = lower(email)`),
  ],
);

import { describe, expect, it } from 'vitest';
import { judgeMigration, listContracted } from './judge-migration.mjs';

describe('judgeMigration rejects @E14', () => {
  it.each([
    'DROP TABLE "jobs";',
    'drop table if exists jobs cascade;',
    'ALTER TABLE "jobs" DROP COLUMN "log";',
    'ALTER TABLE jobs DROP log;',
    'ALTER TABLE "jobs" RENAME COLUMN "log" TO "lines";',
    'ALTER TABLE "jobs" RENAME TO "tasks";',
    'ALTER TABLE "jobs" ALTER COLUMN "log" SET DATA TYPE jsonb;',
    'ALTER TABLE "jobs" ALTER COLUMN "log" TYPE jsonb USING log::jsonb;',
    'ALTER TABLE "jobs" ALTER COLUMN "log" SET NOT NULL;',
    'ALTER TABLE "jobs" ALTER COLUMN "log" DROP DEFAULT;',
    'ALTER TABLE "jobs"\n  ADD COLUMN "shade" text NOT NULL;',
    'ALTER TABLE "jobs" ADD COLUMN "token" uuid DEFAULT gen_random_uuid() NOT NULL;',
    'ALTER TABLE "jobs" ADD CONSTRAINT "jobs_sane" CHECK (true);',
    'ALTER TABLE "public"."jobs" ADD UNIQUE ("log");',
    'CREATE INDEX "jobs_x" ON "jobs" USING btree ("log");',
    'CREATE UNIQUE INDEX "jobs_x" ON "jobs" USING btree ("log");',
    'CREATE INDEX CONCURRENTLY "jobs_x" ON "jobs" USING btree ("log");',
    '-- outside a transaction\nCREATE INDEX CONCURRENTLY "jobs_x" ON "jobs" ("log");',
    '-- outside a transaction\nALTER TABLE "jobs" ADD COLUMN "shade" text;',
    '-- outside a transaction\nDROP INDEX CONCURRENTLY IF EXISTS "jobs_x";\nCREATE INDEX CONCURRENTLY "jobs_x" ON "jobs" ("log");',
    'DROP FUNCTION admit_calls(text[]);',
    "ALTER TYPE shade RENAME VALUE 'a' TO 'b';",
    'DROP TYPE shade;',
    'TRUNCATE jobs;',
    'LOCK TABLE "jobs" IN ACCESS EXCLUSIVE MODE;',
    'UPDATE "jobs" SET "log" = null;',
    'DELETE FROM jobs;',
    // A reason applies to one object only and must say why.
    '-- contract: accounts.log since 0.2.0 nobody reads it\nALTER TABLE "jobs" DROP COLUMN "log";',
    '-- contract: jobs.log since 0.2.0 nobody reads it\nALTER TABLE "jobs" DROP COLUMN "input";',
    '-- contract: jobs.log\nALTER TABLE "jobs" DROP COLUMN "log";',
    '-- small: jobs.log has few rows anywhere\nALTER TABLE "jobs" DROP COLUMN "log";',
  ])('%s', (text) => {
    expect(judgeMigration(text)).toHaveLength(1);
  });
});

describe('judgeMigration accepts', () => {
  it.each([
    'ALTER TABLE "jobs" ADD COLUMN "shade" text;',
    'ALTER TABLE "jobs" ADD COLUMN "shade" text DEFAULT \'dark\' NOT NULL;',
    'ALTER TABLE "jobs" ADD COLUMN "seen_at" timestamp with time zone DEFAULT now() NOT NULL;',
    'ALTER TABLE "jobs" ALTER COLUMN "log" DROP NOT NULL;',
    'ALTER TABLE "jobs" ADD CONSTRAINT "jobs_sane" CHECK (true) NOT VALID;',
    'CREATE TABLE "shades" ("id" text NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "shades_id" ON "shades" ("id");',
    'CREATE TABLE "shades" ("id" text);\nALTER TABLE "shades" ADD CONSTRAINT "c" CHECK (id <> \'\');',
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM jobs; DROP TABLE jobs; $$;',
    '-- outside a transaction\nDROP INDEX CONCURRENTLY IF EXISTS "jobs_x";--> statement-breakpoint\nCREATE INDEX CONCURRENTLY "jobs_x" ON "jobs" ("log");',
    '-- contract: jobs.log since 0.2.0 nobody reads it\nALTER TABLE "jobs" DROP COLUMN "log";',
    '-- small: imported_tools has a row a tool\nCREATE INDEX "x" ON "imported_tools" ("name");',
    '-- DROP TABLE jobs;\nSELECT 1;',
  ])('%s', (text) => {
    expect(judgeMigration(text)).toEqual([]);
  });

  it('lists the objects that a migration removes on purpose', () => {
    expect(listContracted('-- contract: jobs.log since 0.2.0\n-- contract: f\nSELECT 1;')).toEqual([
      'jobs.log',
    ]);
  });
});

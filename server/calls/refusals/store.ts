import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import type { ErrorCode } from '../../core/errors/catalogue';
import { DESCRIBED_PER_ACCOUNT } from './limits';

/** Refused calls of one minute that have all of this in common. */
export interface CountedRefusals {
  /** Of the key, or of the signed-in person. */
  accountId: string;
  minuteMs: number;
  /** Empty without a key. */
  keyId: string;
  code: ErrorCode;
  /** The limit that was exceeded; empty for other errors. */
  limitName: string;
  /** The tool, if there is one of this name; else empty. */
  tool: string;
  refused: number;
  lastAtMs: number;
  /** When the same call may be admitted. */
  retryAtMs: number | null;
  rulesVersion: number;
}

/** One refused call. */
export interface DescribedRefusal {
  accountId: string;
  id: string;
  keyId: string;
  code: ErrorCode;
  atMs: number;
  requestId: string;
  clientAddress: string | null;
  tool: string;
  skill: string;
  message: string;
}

/**
 * Adds refused calls to the account that has the key now: a claim may have moved it. Those of a
 * closed account are dropped. An account keeps its last descriptions.
 */
export async function insertRefusals(
  sql: Sql,
  counted: readonly CountedRefusals[],
  described: readonly DescribedRefusal[],
): Promise<void> {
  const list = <Row>(rows: readonly Row[], read: (row: Row) => string | number | null) =>
    arrayLiteral(rows.map(read));
  await sql`
    with counted as (
      select u.*, a.id as owner_id
      from unnest(${list(counted, (c) => c.accountId)}::text[], ${list(counted, (c) => c.keyId)}::text[],
          ${list(counted, (c) => c.minuteMs)}::float8[], ${list(counted, (c) => c.code)}::text[],
          ${list(counted, (c) => c.limitName)}::text[], ${list(counted, (c) => c.tool)}::text[],
          ${list(counted, (c) => c.refused)}::int[], ${list(counted, (c) => c.lastAtMs)}::float8[],
          ${list(counted, (c) => c.retryAtMs)}::float8[], ${list(counted, (c) => c.rulesVersion)}::int[])
        u(account_id, key_id, minute_ms, code, limit_name, tool, refused, last_ms, retry_ms, rules_version)
      left join api_keys k on k.id = u.key_id
      join accounts a on a.id = coalesce(k.account_id, u.account_id) and a.closed_at is null
    ), added as (
      insert into refusal_minutes as m (account_id, minute, key_id, code, limit_name, tool, refused, last_at, retry_at,
        rules_version)
      select owner_id, to_timestamp(minute_ms / 1000), key_id, code, limit_name, tool, sum(refused),
        to_timestamp(max(last_ms) / 1000), to_timestamp(max(retry_ms) / 1000), max(rules_version)
      from counted group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (account_id, minute, key_id, code, limit_name, tool) do update set
        refused = m.refused + excluded.refused, last_at = greatest(m.last_at, excluded.last_at),
        retry_at = greatest(m.retry_at, excluded.retry_at),
        rules_version = greatest(m.rules_version, excluded.rules_version)
    ), described as (
      insert into refusals (account_id, id, key_id, at, request_id, client_address, tool, skill, code, message)
      select a.id, u.id, u.key_id, to_timestamp(u.at_ms / 1000), u.request_id, u.client_address, u.tool, u.skill, u.code,
        u.message
      from unnest(${list(described, (d) => d.accountId)}::text[], ${list(described, (d) => d.id)}::text[],
          ${list(described, (d) => d.keyId)}::text[], ${list(described, (d) => d.atMs)}::float8[],
          ${list(described, (d) => d.requestId)}::text[], ${list(described, (d) => d.clientAddress)}::text[],
          ${list(described, (d) => d.tool)}::text[], ${list(described, (d) => d.skill)}::text[],
          ${list(described, (d) => d.code)}::text[], ${list(described, (d) => d.message)}::text[])
        u(account_id, id, key_id, at_ms, request_id, client_address, tool, skill, code, message)
      left join api_keys k on k.id = u.key_id
      join accounts a on a.id = coalesce(k.account_id, u.account_id) and a.closed_at is null
      on conflict do nothing
      returning account_id
    )
    delete from refusals r using (
      select o.account_id, o.id from (select account_id, count(*) as n from described group by 1) d
      cross join lateral (
        select account_id, id from refusals where account_id = d.account_id order by id desc
        offset greatest(0, ${DESCRIBED_PER_ACCOUNT}::int - d.n) for update skip locked
      ) o
    ) old
    where r.account_id = old.account_id and r.id = old.id`;
}

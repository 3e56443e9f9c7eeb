import { sql } from 'kysely';
import { z } from 'zod';
import type { CallParsed, CallResult } from '#shared/contract/call.ts';
import type { listMemberActions, memberLogFilter } from '#shared/contract/member-log.ts';
import type { Db } from '#shared/database/connect.ts';
import { csvOf } from '#shared/domain/csv.ts';
import { isDay } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import { selectPeople } from './store.ts';

const pageSize = 50;
/** Entries of a CSV file. */
export const maxCsvEntries = 10_000;

const row = z.object({
  place: z.string(),
  acted_at: z.date(),
  member_id: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  action: z.string(),
  target: z.string().nullable(),
  reason: z.string().nullable(),
  by: z.string().nullable(),
});

type Filter = z.output<typeof memberLogFilter>;

/** Members and operators in one list: places of one moment are told apart by who acted and the number. */
async function selectLog(
  db: Db,
  { customerId }: SignedInMember,
  { memberId, action, from, to }: Filter,
  { after, limit }: { after?: string | undefined; limit: number },
) {
  const [at = null, place = null] = after?.split('_') ?? [];
  const result = await sql`select e.*, m.name, m.email from (
      select 'm' || lpad(position::text, 19, '0') as place, acted_at, member_id, action, target, null as reason, null as by
        from member_actions where customer_id = ${customerId} and (${memberId ?? null}::text is null or member_id = ${memberId ?? null})
      union all
      select 'p' || lpad(position::text, 19, '0'), date_trunc('milliseconds', acted_at), null, action, target, reason,
          case action when 'customers.see' then actor end
        from operator_actions where customer_id = ${customerId} and coalesce(${memberId ?? null}, 'provider') = 'provider') e
    left join members m on m.id = e.member_id
    where (${action ?? null}::text is null or e.action = ${action ?? null})
      and (${from ?? null}::timestamptz is null or e.acted_at >= ${from ?? null}) and (${to ?? null}::timestamptz is null or e.acted_at < ${to ?? null})
      and (${at}::timestamptz is null or (e.acted_at, e.place) < (${at}::timestamptz, ${place}))
    order by e.acted_at desc, e.place desc limit ${limit}`.execute(db);
  return checkedRows(row, result);
}

export async function readLog(
  db: Db,
  owner: SignedInMember,
  { after, ...filter }: CallParsed<typeof listMemberActions>['query'],
): Promise<CallResult<typeof listMemberActions>> {
  const [at = '', place = ''] = after?.split('_') ?? [];
  // PostgreSQL refuses days that JavaScript takes.
  const isPlace = isDay(at.slice(0, 10)) && !Number.isNaN(Date.parse(at)) && /^[mp]\d{19}$/.test(place);
  const read = await selectLog(db, owner, filter, { after: isPlace ? after : undefined, limit: pageSize + 1 });
  const people = await selectPeople(db, owner);
  const entries = read.slice(0, pageSize);
  const last = read.length > pageSize ? entries.at(-1) : undefined;
  return {
    entries: entries.map(({ place, acted_at: at, member_id: id, name, email, action, target, reason, by }) => ({
      id: place,
      at: at.toISOString(),
      member: id === null ? null : { id, name: name ?? '', email: email ?? '' },
      action,
      target,
      reason,
      by,
    })),
    people: people.map(({ id, name, removed_at }) => ({ id, name, isFormer: removed_at !== null })),
    next: last === undefined ? null : `${last.acted_at.toISOString()}_${last.place}`,
  };
}

export async function logAsCsv(db: Db, owner: SignedInMember, filter: Filter): Promise<string> {
  const rows = await selectLog(db, owner, filter, { limit: maxCsvEntries });
  return csvOf(
    ['Time', 'Name', 'E-mail', 'Action', 'Of', 'Reason'],
    rows.map(({ acted_at: at, name, email, action, target, reason }) => [
      at.toISOString(),
      name ?? 'Provider',
      email ?? '',
      action,
      target ?? '',
      reason ?? '',
    ]),
  );
}

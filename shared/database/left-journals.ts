import { sql } from 'kysely';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Db } from './connect.ts';

const leftJournal = z.object({ id: z.string(), held: z.number() });
type LeftJournal = z.output<typeof leftJournal>;

/** Journals of gateways that ended and still hold quota of customers, with how much. */
export async function listLeftJournals(db: Db): Promise<LeftJournal[]> {
  const query = sql`select l.journal_id as id, sum(l.held)::int as held from leases l
    left join gateways g on g.journal_id = l.journal_id
    where g.lease_until is null or g.lease_until < clock_timestamp() - interval '1 minute'
    group by l.journal_id having sum(l.held) > 0 order by l.journal_id`;
  return checkedRows(leftJournal, await query.execute(db));
}

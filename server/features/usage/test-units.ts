import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Day } from '#domain/day.ts';

/** Sets the units of a cycle's quotas that are taken on a day, as gateways do before they forward a call. */
export async function takeUnits(db: Db, cycleId: string, day: Day, taken: number): Promise<void> {
  await sql`insert into quota_days (activation_id, day, taken) select activation_id, ${day}, ${taken} from cycles where id = ${cycleId}
    on conflict (activation_id, day) do update set taken = excluded.taken`.execute(db);
  await sql`insert into quota_cycles (cycle_id, taken) values (${cycleId}, ${taken})
    on conflict (cycle_id) do update set taken = excluded.taken`.execute(db);
}

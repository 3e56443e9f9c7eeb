import { quotaSums } from '#shared/database/quota-sums.ts';
import type { TestDatabase } from '#shared/database/test-database.ts';

/** Rows whose quota taken differs from the calls counted plus the units on lease; there must never be any. */
export async function findQuotaMismatches({ pool }: Pick<TestDatabase, 'pool'>): Promise<unknown[]> {
  const found = await Promise.all(Object.values(quotaSums).map((query) => pool.query(query)));
  return found.flatMap(({ rows }): unknown[] => rows);
}

/** Units of quota that calls of an activation used. */
export async function unitsOf({ pool }: TestDatabase, activationId: string): Promise<number> {
  const { rows } = await pool.query<{ units: number }>(
    'select coalesce(sum(units), 0) as units from usage_counts where activation_id = $1',
    [activationId],
  );
  return rows[0]?.units ?? 0;
}

import type { ClientBase } from 'pg';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { appliedMigrations, applyMigrations, readChanges } from '#shared/database/migrate.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { numberedDaysAhead } from '#shared/domain/document-number.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import type { RestoredRows } from './after-restore.ts';

const stoppedSchema = z.object({ name: z.string() });

/**
 * Stops the series in which the Invoicing API numbers the documents of customers, who alone know the numbers that they were given since the backup
 * (Rule 46(b)). Series of test keys go on. Also stopped are those that the backup's customers may have begun since.
 */
export async function stopSeries(databaseUrl: string, today: Day): Promise<RestoredRows> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'octroi restore' });
  await client.connect();
  try {
    const names = await stopIn(client, today);
    return {
      what: 'series of numbers of customers in the Invoicing API, which each goes on when its customer sends startAt, as do those of the next year from 1 April',
      count: names.length,
      names,
    };
  } finally {
    await client.end();
  }
}

async function stopIn(client: ClientBase, today: Day): Promise<string[]> {
  if ((await appliedMigrations(client, 'products')).length === 0) return [];
  await applyMigrations(client, readChanges(projectFolder('products', 'migrations')), 'products');
  await client.query(
    `insert into products.restored_callers
     select caller, $1 from (select id as caller from customers union all select id from activations union all select 'direct') t
     on conflict (caller) do update set last_financial_year = excluded.last_financial_year`,
    [financialYearOf(addDays(today, numberedDaysAhead))],
  );
  await client.query(`update products.series set is_stopped = true where caller not like '%/test'`);
  const found = await client.query(
    `select distinct customers.email || ' ' || series || '/' || financial_year as name
     from products.series left join activations on activations.id = caller
     join customers on customers.id in (caller, activations.customer_id)
     where is_stopped and financial_year >= $1 order by 1`,
    [financialYearOf(today)],
  );
  return checkedRows(stoppedSchema, found).map(({ name }) => name);
}

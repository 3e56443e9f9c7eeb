import { z } from 'zod';
import { type BegunSeries, begunSchema, selectBegun } from '#shared/database/begun-series.ts';
import { openClient } from '#shared/database/clients.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** Whose files lie in a place that several may share. */
export interface Owner {
  /**
   * What was restored is another installation, and so is a database made from another as its template, or one in a new cluster. A copy of
   * PostgreSQL's files, such as the snapshot of a machine, is the same one.
   */
  installation: string;
  /** PostgreSQL’s own number of its data: the log of one cluster fits no other. A copy of its files has the same number. */
  cluster: string;
  /** The same for all that were restored from one another, and the furthest series of documents that it has begun. */
  origin: string;
  begun: BegunSeries;
}

const ownerRow = z.object({ installation: z.string(), cluster: z.string(), origin: z.string(), begun: begunSchema });

export async function readOwner(databaseUrl: string): Promise<Owner> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'octroi backup' });
  await client.connect();
  try {
    const found = await client.query(
      `select system_identifier::text as cluster, installation.origin, (${selectBegun}) as begun,
         left(encode(sha256(concat_ws('/', installation.id, system_identifier, pg_database.oid)::bytea), 'hex'), 8) as installation
       from installation, pg_control_system(), pg_database where datname = current_database()`,
    );
    const [owner] = checkedRows(ownerRow, found);
    if (owner === undefined) throw new Error('the database did not say whose it is');
    return owner;
  } finally {
    await client.end();
  }
}

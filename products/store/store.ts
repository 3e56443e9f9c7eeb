import type { PoolClient } from 'pg';
import { openPool } from '#shared/database/clients.ts';
import { processName } from '#shared/database/process-name.ts';
import { applyMigrations, readChanges } from '#shared/database/migrate.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { UpstreamFault } from '#products/http/upstream.ts';

/**
 * The data of the products: assigned numbers, responses for retries, and registrations of test keys. In PostgreSQL,
 * because a number must be assigned only once whichever process gets the call, survives a crash, and belongs in the
 * same backup as the invoices. The tables have their own schema; of the rest of the database only is read
 * whether it was set back.
 */
export interface Store {
  /** Runs statements in one transaction. Throws UpstreamFault (503) when the database cannot be reached. */
  transaction: <Result>(work: (client: PoolClient) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}

/** The migrations of the products' own schema. */
const migrationsFolder = projectFolder('products', 'migrations');

/** Opens the store; its first use connects and applies the migrations that the schema lacks. */
export function openStore(databaseUrl: string, onConnectionLost: (error: Error) => void): Store {
  const pool = openPool(
    {
      connectionString: databaseUrl,
      application_name: processName('products'),
      max: 10,
      statement_timeout: 5000,
      idle_in_transaction_session_timeout: 30_000,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    },
    onConnectionLost,
  );

  const withClient = async <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((cause: unknown) => {
      throw new UpstreamFault(503, 'The database of this API cannot be reached.', { cause });
    });
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      await client.query('rollback').catch((fault: unknown) => {
        broken = fault instanceof Error ? fault : new Error(String(fault));
      });
      if (broken === undefined) throw error;
      throw new UpstreamFault(503, 'The connection to the database of this API was lost during the call.', {
        cause: error,
      });
    } finally {
      client.release(broken);
    }
  };

  let ready: Promise<unknown> | undefined;
  const bringUpToDate = async (): Promise<void> => {
    ready ??= withClient((client) => applyMigrations(client, readChanges(migrationsFolder), 'products'));
    try {
      await ready;
    } catch (error) {
      ready = undefined;
      throw error;
    }
  };

  return {
    transaction: async (work) => {
      await bringUpToDate();
      return withClient(async (client) => {
        await client.query('begin');
        const result = await work(client);
        await client.query('commit');
        return result;
      });
    },
    close: () => pool.end(),
  };
}

/** Returns the store, or throws when the operator has configured none. */
export function storeOrRefuse(store: Store | undefined): Store {
  if (store !== undefined) return store;
  throw new UpstreamFault(
    503,
    'This API has no database, which it needs for numbers, for Idempotency-Key and for what test keys register.',
  );
}

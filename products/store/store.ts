import type { PoolClient } from 'pg';
import { openPool } from '#database/clients.ts';
import { UpstreamFault } from '#products/http/upstream.ts';

/**
 * The data of the products: assigned numbers, responses for retries, and registrations of test keys. In PostgreSQL,
 * because a number must be assigned only once whichever process gets the call, survives a crash, and belongs in the
 * same backup as the invoices. The tables have their own schema; nothing else in the database is read or written.
 */
export interface Store {
  /** Runs statements in one transaction. Throws UpstreamFault (503) when the database cannot be reached. */
  transaction: <Result>(work: (client: PoolClient) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}

const tables = `
create schema if not exists products;
create table if not exists products.answers (
  caller text not null,
  key text not null,
  request_hash text not null,
  started_at timestamptz not null,
  answered_at timestamptz,
  status integer,
  content_type text,
  body bytea,
  primary key (caller, key)
);
-- The request id of the call that the answer was first given to.
alter table products.answers add column if not exists first_request_id text not null default '';
create index if not exists answers_answered_at on products.answers (answered_at);
alter table products.answers add column if not exists customer text;
create index if not exists answers_customer on products.answers (customer, answered_at);
create table if not exists products.series (
  caller text not null,
  series text not null,
  document_type text not null,
  financial_year text not null,
  last_sequence bigint not null,
  primary key (caller, series, document_type, financial_year)
);
create table if not exists products.numbers (
  caller text not null,
  series text not null,
  document_type text not null,
  financial_year text not null,
  sequence bigint not null,
  number text not null,
  asked_by text not null,
  given_at timestamptz not null,
  primary key (caller, series, document_type, financial_year, sequence),
  unique (caller, asked_by)
);
create table if not exists products.sandbox_registrations (
  caller text not null,
  irn text not null,
  document text not null,
  registered_at timestamptz not null,
  cancelled_at timestamptz,
  primary key (caller, irn)
);
create index if not exists sandbox_registrations_registered_at on products.sandbox_registrations (registered_at);`;

/** An arbitrary number for the advisory lock that nothing else uses: the letters "prod". */
const tablesLock = 0x70726f64;

/** Opens the store; its first use connects and creates missing tables. */
export function openStore(databaseUrl: string, onConnectionLost: (error: Error) => void): Store {
  const pool = openPool(
    {
      connectionString: databaseUrl,
      application_name: 'octroi products',
      max: 10,
      statement_timeout: 5000,
      idle_in_transaction_session_timeout: 30_000,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    },
    onConnectionLost,
  );

  const inTransaction = async <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((cause: unknown) => {
      throw new UpstreamFault(503, 'The database of this API cannot be reached.', { cause });
    });
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
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

  let ready: Promise<void> | undefined;
  const makeTables = async (): Promise<void> => {
    ready ??= inTransaction(async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [tablesLock]);
      await client.query(tables);
    });
    try {
      await ready;
    } catch (error) {
      ready = undefined;
      throw error;
    }
  };

  return {
    transaction: async (work) => {
      await makeTables();
      return inTransaction(work);
    },
    close: () => pool.end(),
  };
}

/** A store where the operator has one, or an answer that says that there is none. */
export function storeOrRefuse(store: Store | undefined): Store {
  if (store !== undefined) return store;
  throw new UpstreamFault(
    503,
    'This API has no database, which it needs for numbers, for Idempotency-Key and for what test keys register.',
  );
}

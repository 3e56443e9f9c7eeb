import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { z } from 'zod';

/** A server or cluster of ClickHouse that keeps the log (decision 078). */
export interface ClickHouse {
  client: ClickHouseClient;
  /** The tables of its shards are made on all servers of it; undefined on a single server. */
  cluster: string | undefined;
}

/**
 * Opens `clickhouse://user:password@host:8123/database`. `?secure=true` for TLS, `&cluster=name` for a cluster; other parameters are refused. Throws
 * when the address is malformed; connects with the first statement.
 */
export function openClickHouse(address: string, { connections = 10 }: { connections?: number } = {}): ClickHouse {
  const url = new URL(address);
  const { secure, cluster, ...unknown } = Object.fromEntries(url.searchParams);
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new Error(`unknown parameter ${name} in the address of ClickHouse`);
  if (cluster !== undefined && !/^\w{1,64}$/.test(cluster)) throw new Error('the name of the cluster is malformed');
  const scheme = secure === 'true' ? 'https' : 'http';
  const client = createClient({
    url: `${scheme}://${url.hostname}:${url.port === '' ? (scheme === 'https' ? 8443 : 8123) : url.port}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'default',
    application: 'octroi',
    max_open_connections: connections,
    request_timeout: 15_000,
    // Its lines hold what customers search for.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // What was appended is there when the reply comes.
      async_insert: 0,
      wait_end_of_query: 1,
    },
  });
  return { client, cluster };
}

/** Rows of a read; each is checked. */
export async function selectRows<Row>(
  { client }: ClickHouse,
  row: z.ZodType<Row>,
  query: string,
  query_params: Record<string, unknown>,
): Promise<Row[]> {
  const result = await client.query({ query, query_params, format: 'JSONEachRow' });
  const found: Row[] = [];
  for await (const lines of result.stream()) for (const { text } of lines) found.push(row.parse(JSON.parse(text)));
  return found;
}

/** Shards are chosen by activation: all versions of a row lie on one of them. */
const tables = {
  request_calls: {
    columns: `activation_id String, key_id LowCardinality(String), at DateTime64(3, 'UTC') codec(Delta, ZSTD), request_id String codec(ZSTD),
      method LowCardinality(String), path LowCardinality(String), status UInt16, units UInt32, reason LowCardinality(String),
      problem LowCardinality(String), latency_ms UInt32 codec(ZSTD), version UInt32`,
    more: ', index by_id request_id type bloom_filter(0.001) granularity 1',
    version: 'version',
    partition: `toYYYYMMDD(at, 'Asia/Kolkata')`,
    order: 'activation_id, at, request_id',
  },
  request_batches: {
    columns: `activation_id String, day Date, id UUID, key_id LowCardinality(String), test Bool, to_at DateTime64(3, 'UTC'), calls UInt32,
      counted UInt32, unlisted UInt32, problems Map(LowCardinality(String), UInt64), version UInt32`,
    more: '',
    version: 'version',
    partition: 'toYYYYMMDD(day)',
    order: 'activation_id, day, id',
  },
};
type Table = keyof typeof tables;
const tableNames: readonly Table[] = ['request_calls', 'request_batches'];

/** The table whose parts lie on this server. */
const partsOf = (table: Table, { cluster }: ClickHouse): string => (cluster === undefined ? table : `${table}_parts`);
const onCluster = ({ cluster }: ClickHouse): string => (cluster === undefined ? '' : ` on cluster '${cluster}'`);

/** Creates the tables that are missing. Corrections are newer versions of a row, and each day of India is a partition. */
export async function createTables(clickHouse: ClickHouse): Promise<void> {
  const { client, cluster } = clickHouse;
  for (const table of tableNames) {
    const { columns, more, version, partition, order } = tables[table];
    const engine = cluster === undefined ? 'ReplacingMergeTree' : 'ReplicatedReplacingMergeTree';
    const windowOf = cluster === undefined ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window';
    await client.command({
      query: `create table if not exists ${partsOf(table, clickHouse)}${onCluster(clickHouse)} (${columns}${more})
        engine = ${engine}(${version}) partition by ${partition} order by (${order}) settings ${windowOf} = 1000`,
    });
    if (cluster === undefined) continue;
    await client.command({
      query: `create table if not exists ${table}${onCluster(clickHouse)} (${columns})
        engine = Distributed('${cluster}', currentDatabase(), '${partsOf(table, clickHouse)}', cityHash64(activation_id))`,
    });
  }
}

/** Drops the days before this one, `YYYY-MM-DD`. */
export async function dropDays(clickHouse: ClickHouse, before: string): Promise<void> {
  const { client, cluster } = clickHouse;
  for (const table of tableNames) {
    const parts = partsOf(table, clickHouse);
    const from = cluster === undefined ? 'system.parts' : `clusterAllReplicas('${cluster}', system.parts)`;
    const old = await selectRows(
      clickHouse,
      z.object({ partition: z.string() }),
      `select distinct partition from ${from} where database = currentDatabase() and table = {parts:String} and active
        and partition < {before:String} order by partition`,
      { parts, before: before.replaceAll('-', '') },
    );
    for (const { partition } of old)
      await client.command({
        query: `alter table ${parts}${onCluster(clickHouse)} drop partition ${Number(partition)}`,
      });
  }
}

/** Deletes the calls of these activations, and replies when they are gone. */
export async function deleteActivations(clickHouse: ClickHouse, activationIds: readonly string[]): Promise<void> {
  for (const table of tableNames) {
    const ids = { ids: [...activationIds] };
    const theirs = 'activation_id in ({ids:Array(String)})';
    const found = await selectRows(clickHouse, z.unknown(), `select 1 from ${table} where ${theirs} limit 1`, ids);
    // A deletion writes all parts anew.
    if (found.length === 0) continue;
    await clickHouse.client.command({
      query: `alter table ${partsOf(table, clickHouse)}${onCluster(clickHouse)} delete where ${theirs}
        settings mutations_sync = 2`,
      query_params: ids,
    });
  }
}

import { readCatalog } from '#catalog/catalog.ts';
import { connect } from '#database/connect.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createProcessLife } from '#platform/process-life.ts';
import { ConfigFaults } from '#platform/read-config.ts';
import { readGatewayConfig, readUpstreams } from './config.ts';
import { startGateway } from './gateway.ts';

/** Builds the gateway process once, from its settings, and serves it until the process is told to stop. */
async function main(): Promise<void> {
  const source = { env: process.env };
  const config = readGatewayConfig(source);
  const log = createLog('gateway', { level: config.logLevel });
  const life = createProcessLife(log, 15_000);
  const catalog = readCatalog(config.catalogDir);
  const connection = connect(config.databaseUrl, {
    applicationName: 'octroi gateway',
    maxConnections: 8,
    statementTimeoutMs: 5000,
    onConnectionLost: (error) => log.warn({ err: error }, 'lost a connection to the database'),
  });
  life.onStop('database', connection.close);
  const gateway = await startGateway({
    config,
    connection,
    catalog,
    upstreams: readUpstreams(catalog, source),
    log,
    now: systemClock,
  });
  life.onStop('gateway', gateway.close);
  log.info({ url: gateway.url }, 'ready');
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof ConfigFaults ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
});

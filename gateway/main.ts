import { setFlagsFromString } from 'node:v8';
import { readCatalog } from '#catalog/catalog.ts';
import { connect } from '#database/connect.ts';
import { requireDatabase, UnfitDatabase } from '#database/require-database.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createProcessLife } from '#platform/process-life.ts';
import { ConfigFaults } from '#platform/read-config.ts';
import { readGatewayConfig, readSandboxes, readUpstreams } from './config.ts';
import { startGateway } from './gateway.ts';

/**
 * What a gateway keeps is little and what it throws away is much, and V8 takes both wrong. It takes the little for the measure of the heap and
 * walks all of it every other second: so many percent of it may be added before. And it takes calls that wait for their answer for objects that
 * stay, makes the next ones where those that stay lie, and with them keeps all that they refer to. Together up to a third of what a call costs.
 */
setFlagsFromString('--heap-growing-percent=400');
setFlagsFromString('--no-allocation-site-pretenuring');

/** Builds the gateway process once, from its settings, and serves it until the process is told to stop. */
async function main(): Promise<void> {
  const source = { env: process.env };
  const config = readGatewayConfig(source);
  const log = createLog('gateway', { level: config.logLevel });
  const life = createProcessLife(log, 15_000);
  const catalog = readCatalog(config.catalogDir);
  await requireDatabase(config.databaseUrl);
  const connection = connect(config.databaseUrl, {
    applicationName: 'octroi gateway',
    maxConnections: 8,
    keptConnections: 4,
    statementTimeoutMs: 5000,
    onConnectionLost: (error) => log.warn({ err: error }, 'lost a connection to the database'),
  });
  life.onStop('database', connection.close);
  const gateway = await startGateway({
    config,
    connection,
    catalog,
    upstreams: readUpstreams(catalog, source),
    sandboxes: readSandboxes(catalog, source),
    log,
    now: systemClock,
  });
  life.onStop('gateway', gateway.close);
  log.info({ url: gateway.url }, 'ready');
}

main().catch((error: unknown) => {
  const foreseen = error instanceof ConfigFaults || error instanceof UnfitDatabase;
  process.stderr.write(`${foreseen ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});

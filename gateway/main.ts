import { readCatalog } from '#catalog/catalog.ts';
import { connect } from '#database/connect.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createProcessLife } from '#platform/process-life.ts';
import { readGatewayConfig, readUpstreams } from './config.ts';
import { startGateway } from './gateway.ts';

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

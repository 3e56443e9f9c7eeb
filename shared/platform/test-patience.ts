/**
 * Settings of a gateway in tests: tests, database and gateway share a busy machine, so only tests of waiting refuse calls for it.
 * Values are those of the environment, in ms.
 */
export const patientGateway = {
  BUSY_DELAY_MS: '10000',
  UPSTREAM_QUEUE_TIMEOUT_MS: '60000',
  DATABASE_TIMEOUT_MS: '60000',
};

/** Of a pool of connections in tests, for the same reason: how long a caller waits for one, and a statement for its locks. */
export const patientPool = { waitTimeoutMs: 60_000, statementTimeoutMs: 60_000 };

/**
 * Settings of a gateway in tests: tests, database and gateway share a busy machine, so only tests of waiting refuse calls for it.
 * Values are those of the environment, in ms.
 */
export const patientGateway = {
  BUSY_DELAY_MS: '10000',
  UPSTREAM_QUEUE_TIMEOUT_MS: '60000',
  DATABASE_TIMEOUT_MS: '60000',
};

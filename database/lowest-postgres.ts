/** The oldest PostgreSQL that Octroi runs on: every process checks it at its start; docs/operating.md names it too. */
export const lowestPostgres = 16;

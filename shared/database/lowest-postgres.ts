/** The oldest supported PostgreSQL: every process checks it at its start; docs/operating/install.md names it too. */
export const lowestPostgres = 16;

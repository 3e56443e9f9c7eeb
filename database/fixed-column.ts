import type { ColumnType } from 'kysely';

/** A column that is set once. */
export type Fixed<T> = ColumnType<T, T, never>;

import type { ColumnType } from 'kysely';

/** A column that is set once. */
export type Fixed<T> = ColumnType<T, T, never>;

/** Columns that only the database itself writes. */
export type ColumnsRead<T> = { [Name in keyof T]: ColumnType<T[Name], never, never> };

import type { Tables } from '#database/tables.ts';
import type { DataKindName } from './kinds.ts';

export type BaseTable = Exclude<keyof Tables, 'current_papers' | 'cycle_payments'>;

/** What an erasure does with the rows of a customer (product §12.3). */
export type Erasure =
  /** `later`: in batches after the commit, because there may be very many. `only`: which of them, in SQL. */
  | { does: 'delete'; later?: true; only?: string }
  /** Texts that could name somebody are replaced, by SQL; `stays` could not. */
  | { does: 'blank'; columns: Readonly<Record<string, string>>; stays: readonly string[] }
  /** `LAW`: with all that is in them. `NUMBERS`: ids and numbers, which name nobody; `stays`: their texts, each for a good reason. */
  | { does: 'keep'; why: 'LAW' | 'NUMBERS' | 'CHAIN'; stays: readonly string[] };

/** How the rows of a customer are found, by a column of theirs or by that of the table they belong to, and what an erasure does with them. */
export interface PersonalTable {
  kind: DataKindName;
  /** The column with the customer's id, or with the id of a row in `of`. */
  by: string;
  of?: BaseTable;
  /** The referenced column of `of`; `id` if not given. */
  ofColumn?: string;
  erasure: Erasure;
  /** Secrets, and bytes that are a file of their own. */
  leaveOut?: readonly string[];
  /** Bytes that are exported as files. */
  file?: {
    column: string;
    key: 'id' | 'document_id';
    nameColumn: string;
    extension?: string;
    folder: string;
    /** The PDF of a document, which may lie outside the database. */
    isPdf?: boolean;
  };
}

/** A table whose rows are about no customer, or only repeat others. */
export interface OtherTable {
  none: string;
}

type More = Partial<Pick<PersonalTable, 'ofColumn' | 'leaveOut' | 'file'>>;

export const goes: Erasure = { does: 'delete' };
export const goesLater: Erasure = { does: 'delete', later: true };
export const keptAsBooks: Erasure = { does: 'keep', why: 'LAW', stays: [] };
export const keptAsNumbers = (...stays: string[]): Erasure => ({ does: 'keep', why: 'NUMBERS', stays });
/** Entries of a chain of hashes can't be taken out. */
export const chained: Erasure = { does: 'keep', why: 'CHAIN', stays: [] };
export const loses = (columns: Readonly<Record<string, string>>, ...stays: string[]): Erasure => ({
  does: 'blank',
  columns,
  stays,
});

export const own = (kind: DataKindName, erasure: Erasure, more: More = {}): PersonalTable => ({
  kind,
  by: 'customer_id',
  erasure,
  ...more,
});
export const within = (
  kind: DataKindName,
  erasure: Erasure,
  of: BaseTable,
  by: string,
  more: More = {},
): PersonalTable => ({ kind, by, of, erasure, ...more });

export const isPersonal = (table: PersonalTable | OtherTable): table is PersonalTable => 'kind' in table;

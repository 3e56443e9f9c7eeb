import type { BaseTables } from './tables.ts';

export type BaseTable = keyof BaseTables;

/** What an operator sets in days: server/retention/retention-settings.ts. */
export type KeepSetting =
  | 'keepRequestLogDays'
  | 'keepMailsDays'
  | 'keepWebhookEventsDays'
  | 'keepKeyAddressesDays'
  | 'keepRazorpayMessagesDays';

/** A row may go when this column is older than so many days. */
export interface AgeLimit {
  column: string;
  days: number | KeepSetting;
  /** Of the machine's clock, of the product's clock (a time), or of the product's calendar (a date). */
  by: 'machine' | 'product' | 'day';
}

/** A table keeps its rows, for the reason given; or rows of a certain age are deleted; or whole days of a partitioned table are dropped. */
export type Age = { keep: string } | { olderThan: readonly AgeLimit[] } | { dropDays: KeepSetting };

/** The kinds of personal data in docs/privacy.md. */
export type DataKindName =
  | 'account'
  | 'sessions'
  | 'business'
  | 'purchases'
  | 'documents'
  | 'ledger'
  | 'keys'
  | 'usage'
  | 'requests'
  | 'stored'
  | 'webhooks'
  | 'mails'
  | 'support'
  | 'audit';

/** What an erasure does with the rows of a customer (product §12.3). */
export type Erasure =
  /** `later`: in batches after the commit, because there may be very many. `only`: which of them, in SQL. */
  | { does: 'delete'; later?: true; only?: string }
  /** Texts that could name somebody are replaced, by SQL; `stays` could not. */
  | { does: 'blank'; columns: Readonly<Record<string, string>>; stays: readonly string[] }
  /** `LAW`: with all that is in them. `NUMBERS`: ids and numbers, which name nobody; `stays`: their texts, each for a good reason. */
  | { does: 'keep'; why: 'LAW' | 'NUMBERS' | 'CHAIN'; stays: readonly string[] };

/** How the rows of a customer are found, by a column of theirs or by that of the table they belong to, and what an erasure does with them. */
export interface PersonalData {
  kind: DataKindName;
  /** The column with the customer's id, or with the id of a row in `of`. */
  by: string;
  of?: BaseTable;
  /** The referenced column of `of`; `id` if not given. */
  ofColumn?: string;
  erasure: Erasure;
  /** What the export leaves out; the secrets of the table if not given. */
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

/**
 * What a restore does with a table that lets somebody in, or in which a decision waits: since the backup it may have been ended, revoked or
 * decided, which nothing in the backup says. Its texts say what the rows are.
 */
export type AfterRestore =
  /** They are deleted. */
  | { ends: string }
  /** Their `revoked_at` is set, or they are declined; with an entry of this action in the audit log. */
  | { revokes: string; action: string }
  | { declines: string; action: string }
  /** They stay, and the restore tells the operator to look; `names`: SQL that names each, `only`: those that count. */
  | { lookAt: string; names?: string; only: string }
  /** They stay, for the reason given. */
  | { stays: string };

/** `secret`: columns that nobody needs to read but the product: secrets, hashes of secrets, and texts with links that work without a sign-in. */
export type TableFact = TableFacts &
  ({ secret?: undefined; afterRestore?: AfterRestore } | { secret: string; afterRestore: AfterRestore });

/** What the database can't say of a table itself. Names of columns are separated by spaces. */
interface TableFacts {
  age: Age;
  /** What in it is about a customer; a text says why nothing is. */
  customer: PersonalData | string;
  /** The columns that the processes change once a row is there. */
  changes?: string;
  /** The shapes of its JSON: a type, or `Name of #room/file.ts`. */
  json?: Readonly<Record<string, string>>;
  /** By SQL functions and triggers alone; `owner`: those that act as the owner of the table, so that the processes may not write it. */
  writtenBy?: 'sql' | 'owner';
  /** Columns that a trigger sets, whatever is inserted. */
  setByTrigger?: string;
  /** Why it takes rows of a customer after the erasure. Other tables with a customer have the trigger `erased_get_nothing`. */
  takesErased?: string;
}

/** Companies Act 2013 section 128(5) and CGST Act section 36: at least eight financial years. Never deleted automatically. */
export const books: Age = { keep: 'books of account: the law requires eight financial years' };

export const olderThan = (column: string, days: number | KeepSetting, by: AgeLimit['by'] = 'machine'): Age => ({
  olderThan: [{ column, days, by }],
});

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

type More = Partial<Pick<PersonalData, 'ofColumn' | 'leaveOut' | 'file'>>;

export const own = (kind: DataKindName, erasure: Erasure, more: More = {}): PersonalData => ({
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
): PersonalData => ({ kind, by, of, erasure, ...more });

/** PDFs of documents, in a folder of the export. */
export const papersIn = (folder: string): PersonalData =>
  within('documents', keptAsBooks, 'documents', 'document_id', {
    leaveOut: ['pdf', 'place'],
    file: { column: 'pdf', key: 'document_id', nameColumn: 'document_id', extension: '.pdf', folder, isPdf: true },
  });

/** Records of a customer that the law keeps. */
export const ownBooks = (kind: DataKindName, more: More = {}) => ({
  age: books,
  customer: own(kind, keptAsBooks, more),
});

export const oneRow: Age = { keep: 'a fixed number of rows' };
export const perItem: Age = { keep: 'one row per customer or per item that a customer created' };
export const installation = 'about the installation';
export const chain = 'hashes, and copies of records that stand in their own tables';
/** The row of a chain of hashes that says where it ends. */
export const head = { age: oneRow, customer: chain, writtenBy: 'owner' } as const;

/** Why a table takes rows of an erased customer. */
export const ofActivation = 'is made under the lock of an activation that the erasure has ended, or of its cycles';
export const ofWork = 'is kept for the installation’s own work';

import type { z } from 'zod';
import type {
  OperatorAction,
  OperatorCall,
  OperatorExport,
  OperatorRead,
} from '#shared/contract/operator/operator-call.ts';
import type { OperatorCause } from './audit-log/audit-log.ts';
import type { DocumentFiles } from './document-files/document-files.ts';
import type { DocumentSettings } from './document-settings.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { EventContext, Portal } from './portal.ts';

/** What calls that only read work with. */
export type OperatorSource = Pick<Portal, 'db' | 'clock' | 'requestLog'> & {
  settings: Pick<Portal['settings'], 'settlementDays'>;
};

/** What actions of operators work with: the database, what customers hear of, what issuing documents needs, and which addresses events may go to. */
export type OperatorContext = OperatorSource &
  EventContext &
  Pick<Portal, 'currentCatalog' | 'eInvoices' | 'taxpayers' | 'log'> & {
    settings: DocumentSettings;
    outbound: Pick<Outbound, 'faultOf'>;
  };

type Input<C extends OperatorCall> = z.output<C['input']>;
type Result<C extends OperatorCall> = Promise<z.input<C['reply']>>;

export interface ReadHandler<C extends OperatorRead | OperatorExport> {
  read: (source: OperatorSource, input: Input<C>) => Result<C>;
}

/** A file of a ZIP; the parts of `name` between slashes are folders. */
export interface TextFile {
  name: string;
  content: string;
}
/** The same, read when its turn comes. */
export interface StoredFile {
  name: string;
  content: () => Promise<Buffer>;
}

/** What an export makes. */
export interface Exported<Reply> {
  reply: Reply;
  /** By which the audit log and whoever saves the file know it. */
  name: string;
  /** The time that its files bear, so that the same books give the same bytes. */
  at: Date;
  texts: readonly TextFile[];
  /** Larger files before the texts. */
  stored?: (files: DocumentFiles) => readonly StoredFile[];
}

export interface ExportHandler<C extends OperatorExport> extends ReadHandler<C> {
  export: (source: OperatorSource, input: Input<C>) => Promise<Exported<z.input<C['reply']>>>;
}

/** An export; read as a call, it says what the file would have. */
export const exporting = <C extends OperatorExport>(make: ExportHandler<C>['export']): ExportHandler<C> => ({
  read: async (source, input) => (await make(source, input)).reply,
  export: make,
});

export interface Steps<C extends OperatorAction, Context> {
  /** What `perform` would do now; changes nothing, and refuses in the same words, unless its reply tells what is in the way. */
  preview: (operator: Context, input: Input<C>, cause: OperatorCause) => Result<C>;
  /** Does it, and writes the audit log in the same transaction. */
  perform: (operator: Context, input: Input<C>, cause: OperatorCause) => Result<C>;
}

/**
 * Either step throws OperatorRefusal when it can't be done, with the reason for the operator. `database`: no customer hears of it and no paper
 * is issued, so that it works without the settings and secrets for that.
 */
export type ActionHandler<C extends OperatorAction> =
  | (Steps<C, OperatorContext> & { needs?: never })
  | (Steps<C, OperatorSource> & { needs: 'database' });

export type HandlerOf<C> = C extends OperatorAction
  ? ActionHandler<C>
  : C extends OperatorExport
    ? ExportHandler<C>
    : C extends OperatorRead
      ? ReadHandler<C>
      : never;

/** A handler for each of some calls, or the project doesn't compile. */
export type Handlers<Calls> = { readonly [Name in keyof Calls]: HandlerOf<Calls[Name]> };

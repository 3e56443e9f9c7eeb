import type { JSONColumnType } from 'kysely';
import type { DocumentContent, DocumentKind } from '#domain/document.ts';
import type { ColumnsRead, Fixed } from './fixed-column.ts';

/** Documents under the GST law, their amendments, files and registrations. */
export interface DocumentTables {
  document_series: {
    series: Fixed<string>;
    financial_year: Fixed<string>;
    last_number: number;
    last_issued_at: Date;
  };
  closed_series: {
    series: Fixed<string>;
    financial_year: Fixed<string>;
    closed_at: Fixed<Date>;
    reason: Fixed<string>;
  };
  document_series_forms: {
    name: Fixed<string>;
    kind: Fixed<DocumentKind>;
    place: Fixed<number>;
    letters: Fixed<string>;
    digits: Fixed<number>;
    last: Fixed<number>;
  };
  documents: {
    id: Fixed<string>;
    kind: Fixed<DocumentKind>;
    number: Fixed<string>;
    series: Fixed<string>;
    financial_year: Fixed<string>;
    sequence: Fixed<number>;
    issued_at: Fixed<Date>;
    issued_on: Fixed<string>;
    customer_id: Fixed<string>;
    cycle_id: Fixed<string>;
    payment_id: Fixed<string>;
    refers_to: Fixed<string | null>;
    taxable_paise: Fixed<number>;
    cgst_paise: Fixed<number>;
    sgst_paise: Fixed<number>;
    utgst_paise: Fixed<number>;
    igst_paise: Fixed<number>;
    round_off_paise: Fixed<number>;
    total_paise: Fixed<number>;
    content: JSONColumnType<DocumentContent, string, never>;
    needs_irn: Fixed<boolean>;
  };
  document_files: {
    document_id: Fixed<string>;
    /** Null where it lies outside the database, in `place`. */
    pdf: Buffer | null;
    pdf_sha256: Fixed<Buffer>;
    made_at: Fixed<Date>;
    place: string | null;
    /** Its size; null where it lies in the row. */
    bytes: number | null;
  };
  amendments: {
    document_id: Fixed<string>;
    customer_id: Fixed<string>;
    amended_at: Fixed<Date>;
    amended_on: Fixed<string>;
    content: JSONColumnType<DocumentContent, string, never>;
  };
  amendment_files: {
    document_id: Fixed<string>;
    /** Null where it lies outside the database, in `place`. */
    pdf: Buffer | null;
    pdf_sha256: Fixed<Buffer>;
    made_at: Fixed<Date>;
    place: string | null;
    /** Its size; null where it lies in the row. */
    bytes: number | null;
  };
  e_invoices: {
    document_id: Fixed<string>;
    irn: Fixed<string>;
    ack_number: Fixed<string>;
    ack_at: Fixed<Date>;
    signed_qr: Fixed<string>;
    signed_invoice: Fixed<string>;
    cancelled_at: Date | null;
    cancel_reason: string | null;
  };
  e_invoice_waits: {
    document_id: Fixed<string>;
    since: Fixed<Date>;
    refused_at: Date | null;
    refused_code: string | null;
    refused_reason: string | null;
    alarmed_at: Date | null;
    /** It will never be registered: its invoice was refused and credited in full. */
    closed_at: Date | null;
  };
  current_papers: ColumnsRead<{
    cycle_id: string;
    customer_id: string;
    document_id: string;
    kind: DocumentKind;
    number: string;
  }>;
  /** Without a customer: of the provider itself. */
  event_keys: { dedupe_key: Fixed<string>; customer_id: Fixed<string | null>; happened_at: Fixed<Date> };
}

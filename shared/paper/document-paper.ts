/** What a document's PDF shows, as formatted texts; amounts have two decimals and Indian grouping, without the ₹ sign. */
export interface DocumentPaper {
  /** The look of the one who issues it; as shipped if not given. The logo is an SVG as text, or the bytes of a PNG. */
  brand?: { accent: string; logo: string | number[] | null };
  /** Printed across each page: on documents of the sandbox, of a rehearsal, and on those whose registration was cancelled. */
  stamp?: 'SPECIMEN' | 'REHEARSAL' | 'CANCELLED';
  /** Tax invoice, Receipt voucher, … */
  title: string;
  number: string;
  /** The day of issue, `2026-11-23`: the date of the file, which PDF/A requires. */
  date: string;
  /** Which copy this is: `Original for recipient`, … */
  copy: string;
  /** Number, dates and references, three per row; the first is bold. */
  facts: { name: string; value: string }[];
  supplier: { name: string; gstin: string; address: string; stateCode: string; stateName: string; contact: string[] };
  recipientLabel: string;
  recipient: { name: string; lines: string[]; gstin: string | null };
  /** The one service of the document … */
  item?: { description: string; period: string; sac: string };
  /** … or goods and services in lines. */
  lines?: PaperLine[];
  /** `Taxable value` unless given. */
  valueLabel?: string;
  taxableValue: string;
  taxes: { name: string; rate: string; amount: string }[];
  roundOff: string | null;
  totalLabel: string;
  total: string;
  totalInWords: string;
  /** Paragraphs below the amounts: payment, related documents, endorsements that the law requires. */
  notes: string[];
  /** The signatory, where the law requires a signature. */
  signatory: string | null;
  closing: string;
  /** The registration at the invoice registration portal, with the text of its signed QR code. */
  registration: { irn: string; ackNumber: string; ackAt: string; signedQrCode: string } | null;
}

/** A statement of account in the same look: lines with a balance in place of a supply with its taxes. */
export interface StatementPaper
  extends
    Pick<DocumentPaper, 'brand' | 'stamp' | 'title' | 'number' | 'date' | 'copy' | 'facts'>,
    Pick<DocumentPaper, 'supplier' | 'recipientLabel' | 'recipient' | 'notes' | 'signatory' | 'closing'> {
  registration: null;
  statement: {
    opening: { on: string; balance: string };
    lines: { on: string; what: string; reference: string; debit: string; credit: string; balance: string }[];
    closing: { on: string; balance: string };
    /** Sums below: what is due, by its age, and what was written off. */
    sums: { name: string; amount: string }[];
  };
}

/** One line; `discount` is null when no line of the document has a discount. */
export interface PaperLine {
  description: string;
  code: string;
  quantity: string;
  unitPrice: string;
  discount: string | null;
  rate: string;
  taxableValue: string;
}

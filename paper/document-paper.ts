/** What a document says, as texts ready to be set; amounts with two decimals and Indian grouping, without the ₹ sign. */
export interface DocumentPaper {
  /** Set across each page of a document that is for trying only. */
  specimen?: boolean;
  /** Tax invoice, Receipt voucher, … */
  title: string;
  number: string;
  /** Whom this copy is for. */
  copy: string;
  /** Number, dates and references, in rows of three; the first is set strong. */
  facts: { name: string; value: string }[];
  supplier: { name: string; gstin: string; address: string; stateCode: string; stateName: string };
  recipientLabel: string;
  recipient: { name: string; lines: string[]; gstin: string | null };
  /** The one service of the document … */
  item?: { description: string; period: string; sac: string };
  /** … or goods and services in lines. */
  lines?: PaperLine[];
  taxableValue: string;
  taxes: { name: string; rate: string; amount: string }[];
  roundOff: string | null;
  totalLabel: string;
  total: string;
  totalInWords: string;
  /** Paragraphs under the amounts: how it was paid, what it follows, endorsements of the law. */
  notes: string[];
  /** Who signs, where the law asks for a signature. */
  signatory: string | null;
  closing: string;
  /** What the invoice portal answered, with its signed QR code as an SVG. */
  registration: { irn: string; ackNumber: string; ackAt: string; qr: string } | null;
}

/** One line; `discount` is null where no line of the document has one. */
export interface PaperLine {
  description: string;
  code: string;
  quantity: string;
  unitPrice: string;
  discount: string | null;
  rate: string;
  taxableValue: string;
}

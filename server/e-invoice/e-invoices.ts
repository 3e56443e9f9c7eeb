import type { Inv01 } from '#shared/domain/e-invoice.ts';
import type { CancelReason } from '#shared/domain/e-invoice.ts';
import { parseGstin } from '#shared/domain/gstin.ts';

/** A document's registration at the invoice registration portal. */
export interface Registration {
  irn: string;
  ackNumber: string;
  /** Epoch milliseconds. */
  ackAt: number;
  /** Signed by the portal (JWT); printed on the document as a QR code. */
  signedQr: string;
  signedInvoice: string;
}

/** A login at the invoice portal: each registration has its own. */
export interface InvoicePortalLogin {
  gstin: string;
  user: string;
  password: string;
}

/** Parses `GSTIN:user:password`, several separated by commas. Throws RangeError with the reason, which doesn't name the password. */
export function parseLogins(text: string): InvoicePortalLogin[] {
  const logins = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [gstin = '', user = '', ...password] = part.split(':');
      if (!parseGstin(gstin).valid || user === '' || password.join(':') === '')
        throw new RangeError('each login must be GSTIN:user:password');
      return { gstin, user, password: password.join(':') };
    });
  if (new Set(logins.map(({ gstin }) => gstin)).size < logins.length) throw new RangeError('a GSTIN is named twice');
  return logins;
}

/** What the invoice portal knows of a GSTIN. It accepts invoices only to active ones. */
export type TaxpayerStatus = 'active' | 'inactive' | 'unknown';

/** A client of an invoice registration portal. All methods throw EInvoiceRefusal or EInvoiceUnavailable. */
export interface EInvoices {
  /** Registers a document once: a repeated call returns the existing registration. `irn` is the expected reference number. */
  register: (document: Inv01, irn: string) => Promise<Registration>;
  /** The status of a GSTIN, asked of the GST portal again when the invoice portal would refuse it: its copy may be older. */
  statusOf: (gstin: string) => Promise<TaxpayerStatus>;
  /** Cancels a registration of one of the supplier's GSTINs; no error when it is cancelled already. */
  cancel: (registered: { irn: string; gstin: string }, reason: CancelReason, remark: string) => Promise<void>;
}

/** The portal refused the request, with this error code (the portal's, such as `3029`; `login` for the GSP's own login; `supplier`: the supplier's GSTIN is not active; `registered`: it has the document). */
export class EInvoiceRefusal extends Error {
  readonly code: string;
  /** The portal's error message. */
  readonly reason: string;
  constructor(code: string, reason: string) {
    super(`${code}: ${reason}`);
    this.code = code;
    this.reason = reason;
  }

  /**
   * Is the refusal about the document, so that a retry can't help? Codes from 2000 on are; lower ones are about the login, and 3001
   * means that the portal has no data at the moment.
   */
  get isFinal(): boolean {
    return /^[2-9]\d{3}$/.test(this.code) && this.code !== '3001';
  }
}

/** The portal was unreachable or its response was unreadable: it is unknown whether it did what was requested. */
export class EInvoiceUnavailable extends Error {}

/** Is it a refusal or silence of the portal, and no fault of this program? */
export const isOfInvoicePortal = (error: unknown): error is EInvoiceRefusal | EInvoiceUnavailable =>
  error instanceof EInvoiceRefusal || error instanceof EInvoiceUnavailable;

import type { Inv01 } from '#domain/e-invoice.ts';
import type { CancelReason } from '#domain/e-invoice.ts';

/** What an invoice registration portal answers about a document. */
export interface Registration {
  irn: string;
  ackNumber: string;
  /** Epoch milliseconds. */
  ackAt: number;
  /** Signed by the portal (JWT); it goes on the paper as a QR code. */
  signedQr: string;
  signedInvoice: string;
}

/** A way to an invoice registration portal. Both throw EInvoiceRefusal or EInvoiceSilence. */
export interface EInvoices {
  /** Registers a document, once: asked again, it gives the registration that there is. `irn` is what it must come to. */
  register: (document: Inv01, irn: string) => Promise<Registration>;
  /** Cancels a registration; one that is cancelled already is no fault. */
  cancel: (irn: string, reason: CancelReason, remark: string) => Promise<void>;
}

/** The portal said no, for the reason with this code (of the portal: `3029`; `login` for the GSP's own login). */
export class EInvoiceRefusal extends Error {
  readonly code: string;
  /** What the portal says is wrong. */
  readonly reason: string;
  constructor(code: string, reason: string) {
    super(`${code}: ${reason}`);
    this.code = code;
    this.reason = reason;
  }

  /**
   * Is it about the document, so that asking again can't help? Codes from 2000 on are; those below are about the login, and 3001
   * means that the portal has no data at the moment.
   */
  get isFinal(): boolean {
    return /^[2-9]\d{3}$/.test(this.code) && this.code !== '3001';
  }
}

/** The portal could not be reached, or answered nothing that can be read: nobody knows whether it did what was asked. */
export class EInvoiceSilence extends Error {}

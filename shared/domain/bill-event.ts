import type { CycleDates } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import type { DocumentReference } from '#shared/domain/document.ts';
import type { BillNotice } from '#shared/domain/pay-later.ts';

/** A document that a mail can attach. */
export interface EventDocument extends DocumentReference {
  id: string;
}

/** A period that a payment paid for. `document`: the invoice, or the receipt voucher of an advance. */
export interface PaidPeriod {
  cycleId: string;
  amountPaise: number;
  dates: CycleDates;
  document: EventDocument;
}

/** Events of bills that are paid later (decision 081). */
export interface BillEvents {
  /** A plan was sold on credit terms, with its invoice, to be paid until a day (decision 081). */
  'bill.issued': { dueOn: Day } & PaidPeriod;
  /** What is due of a bill, and when: three days before its last day, on it, the day after, when plans that are not paid stop, and when it is due again. */
  'bill.due': {
    cycleId: string;
    notice: BillNotice;
    duePaise: number;
    /** How often what had paid it went back. */
    returns: number;
    dueOn: Day;
    stopsOn: Day;
    invoice: EventDocument;
  };
  /** For the operator: what had paid a bill went back, or a change of the GST rate lies between its invoice and its period (CGST Act s. 14). */
  'bill.reported': {
    cycleId: string;
    report: { is: 'due_again'; duePaise: number; returns: number } | { is: 'rate_changes'; from: Day };
    invoice: EventDocument;
  };
  /** A payment has paid it. `withheldPaise`: what of it its payer deducted as tax (TDS). */
  'bill.paid': {
    cycleId: string;
    paymentId: string;
    amountPaise: number;
    withheldPaise: number;
    utr: string | null;
    invoice: EventDocument;
  };
}

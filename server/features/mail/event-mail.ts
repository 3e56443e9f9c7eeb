import type { Day } from '#shared/domain/day.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { MailedType } from '#shared/domain/mail-kind.ts';
import type { Month } from '#shared/domain/month.ts';
import type { SupportAuthor } from '#shared/domain/support-thread.ts';
import type { ToPay } from './pay-path.ts';
import type { Letter } from './letter.ts';
import type { PlanNamed } from './texts.ts';
import type { TransferPaid } from './transfer-of.ts';

/** A mail about an event: to the members whom its kind concerns, unless it is addressed. */
export interface EventMail {
  letter: Letter;
  /** Attached documents: the mail is sent when all their PDFs have been rendered. */
  documentIds?: readonly string[];
  /** Addressed to the provider's support team. */
  toSupport?: boolean;
  /** Addressed to the customer's accountant. */
  toAccountant?: { id: string; email: string };
  /** Addressed to this address. */
  to?: string;
  /** The files of all its documents exist: it need not wait for them. */
  arePrinted?: boolean;
  /** A mail of a support thread; the recipient replies into it. */
  thread?: { id: string; replyTo: string | undefined };
  /** The month whose papers are attached as a ZIP. */
  packMonth?: Month;
}

/** Data that letters need besides the event. */
export interface Named {
  planOf: (cycleId: string) => Promise<PlanNamed>;
  /** A pay link for what a failed payment or debit was to pay for, where it is still to be paid. */
  payPath: (of: ToPay) => Promise<string | undefined>;
  /** Does a plan of which a bill is not paid run on a day, or now where that is later? */
  stopsPlans: (on: Day) => Promise<boolean>;
  transferOf: (paymentId: string) => Promise<TransferPaid | undefined>;
  nameOfProduct: (productId: string) => string;
  nameOfCustomer: () => Promise<string>;
  /** The thread as a mail to one of its sides names it. */
  threadOf: (threadId: string, side: SupportAuthor) => Promise<{ id: string; replyTo: string | undefined }>;
  readSender: () => Promise<{ customerId: string; name: string; email: string }>;
}

type MailOf<Type extends MailedType> = (
  event: PortalEvent<Type>,
  named: Named,
) => EventMail | undefined | Promise<EventMail | undefined>;

/** The mail about each event that has one. */
export type Mails = { [Type in MailedType]: MailOf<Type> };

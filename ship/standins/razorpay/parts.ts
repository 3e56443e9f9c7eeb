import type { Ledger } from '#ship/standins/razorpay/ledger.ts';
import type { WebhookQueue } from '#ship/standins/razorpay/webhook-queue.ts';

export type RazorpayParts = {
  keyId: string;
  keySecret: string;
  webhookUrl: string;
  ledger: Ledger;
  webhooks: WebhookQueue;
  /** Epoch milliseconds of the stand-in's clock, which can be moved. */
  now(): number;
  /** Aborted when the stand-in stops. */
  closing: AbortSignal;
};

import { z } from 'zod';
import { requestLogDays } from '#shared/contract/request-log.ts';
import type { KeepSetting } from '#shared/database/fact-builders.ts';
import { wholeNumber } from '#shared/platform/settings.ts';

const mostDays = 3650;

/**
 * How long each kind of data is kept that no law fixes; what tax and company law require is never deleted, whatever is set here. Each has a floor:
 * what the product itself needs.
 */
export const retentionSettings = {
  keepRequestLogDays: wholeNumber(
    requestLogDays,
    requestLogDays,
    mostDays,
    'Days for which the request log is kept; at least 30, which its pages show. 365 or more for the DPDP Rules 2025, rule 8(3), from 13 May 2027 on',
  ),
  keepMailsDays: wholeNumber(
    400,
    400,
    mostDays,
    'Days for which mails are kept, and that they were sent; at least 400, so that none is sent twice',
  ),
  keepWebhookEventsDays: wholeNumber(
    30,
    7,
    mostDays,
    'Days for which events for customers’ webhooks and their attempts are kept; at least 7, because deliveries are repeated for days',
  ),
  keepKeyAddressesDays: wholeNumber(
    90,
    30,
    mostDays,
    'Days for which the addresses are kept from which a key was last used; at least 30, so that customers are not warned of their own network',
  ),
  keepRazorpayMessagesDays: wholeNumber(
    90,
    30,
    mostDays,
    'Days for which processed messages of Razorpay are kept; at least 30, to look into a payment',
  ),
} satisfies Record<KeepSetting, unknown>;

/** Of every kind, in days. */
export type Retention = Record<KeepSetting, number>;

export const defaultRetention: Retention = z.object(retentionSettings).parse({});

export const retentionKinds = [
  'keepRequestLogDays',
  'keepMailsDays',
  'keepWebhookEventsDays',
  'keepKeyAddressesDays',
  'keepRazorpayMessagesDays',
] as const satisfies readonly KeepSetting[];

import { z } from 'zod';

/** What the pages need to know about this installation; the server writes it into the page it serves. */
export const portalConfigSchema = z.object({
  /** Base address of the calls; it may be another origin (product §8.1). */
  backendUrl: z.string(),
  gatewayUrl: z.string(),
  /** The provider's name. The header says PORTAL regardless (product §2.26). */
  providerName: z.string(),
  googleClientId: z.string(),
  googleScriptUrl: z.string(),
  checkoutKeyId: z.string(),
  checkoutScriptUrl: z.string(),
  /** A business may pay by bank transfer (decision 075). */
  bankTransfers: z.boolean(),
  support: z.object({ email: z.string(), phone: z.string(), hours: z.object({ en: z.string(), hi: z.string() }) }),
  /** The provider's own look; what it does not have is as shipped. */
  brand: z.object({
    /** The provider's name stands beside PORTAL. */
    showsName: z.boolean(),
    logo: z.object({ light: z.string(), dark: z.string() }).nullable(),
    /** A colour on which white text is readable; the checkout's. */
    accent: z.string(),
    login: z.object({
      heading: z.string().nullable(),
      lead: z.string().nullable(),
      features: z.array(z.object({ title: z.string(), text: z.string() })).nullable(),
      claims: z.array(z.string()).nullable(),
      product: z.string().nullable(),
    }),
    links: z.object({
      terms: z.string().nullable(),
      privacy: z.string().nullable(),
      refunds: z.string().nullable(),
      contact: z.string().nullable(),
    }),
    /** These texts in Hindi, by their English. */
    hindi: z.record(z.string(), z.string()),
  }),
  /** There are pages without a sign-in: /status, /apis. */
  publicPages: z.boolean(),
  /** A payment may carry the consent to renew by mandate. */
  renewals: z.boolean(),
  /** Stand-ins replace Google and Razorpay; no money moves. */
  standins: z.boolean(),
  /** A rehearsal of production: the same, and no money moves. */
  rehearsal: z.boolean(),
});
export type PortalConfig = z.output<typeof portalConfigSchema>;

/** The id of the `application/json` script element that contains it. */
export const portalConfigElement = 'portal-config';

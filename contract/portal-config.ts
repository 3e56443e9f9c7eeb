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
  support: z.object({ email: z.string(), phone: z.string(), hours: z.string() }),
  /** Stand-ins replace Google and Razorpay; no money moves. */
  standins: z.boolean(),
});
export type PortalConfig = z.output<typeof portalConfigSchema>;

/** The id of the `application/json` script element that contains it. */
export const portalConfigElement = 'portal-config';

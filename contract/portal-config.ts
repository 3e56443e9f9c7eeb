import { z } from 'zod';

/** What the pages need to know of this installation; the server writes it into the page it serves. */
export const portalConfigSchema = z.object({
  /** Base address of the calls; another origin is possible (product §8.1). */
  backendUrl: z.string(),
  gatewayUrl: z.string(),
  /** The provider's name. The header says PORTAL all the same (product §2.26). */
  providerName: z.string(),
  googleClientId: z.string(),
  googleScriptUrl: z.string(),
  checkoutKeyId: z.string(),
  checkoutScriptUrl: z.string(),
  support: z.object({ email: z.string(), phone: z.string(), hours: z.string() }),
  /** Development parts stand in for Google and Razorpay; no money moves. */
  standins: z.boolean(),
});
export type PortalConfig = z.output<typeof portalConfigSchema>;

/** The id of the `application/json` script element that holds it. */
export const portalConfigElement = 'portal-config';

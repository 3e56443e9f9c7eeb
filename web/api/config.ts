import { type PortalConfig, portalConfigElement, portalConfigSchema } from '#shared/contract/portal-config.ts';

let read: PortalConfig | undefined;

/**
 * The configuration of this installation, which the server wrote into the page. Throws when it is missing: nothing can
 * work then.
 */
export function portalConfig(): PortalConfig {
  if (read === undefined) {
    const text = document.getElementById(portalConfigElement)?.textContent;
    if (text === undefined || text === null) throw new Error('The page came without its configuration');
    read = portalConfigSchema.parse(JSON.parse(text));
  }
  return read;
}

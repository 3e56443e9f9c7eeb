import { type PortalConfig, portalConfigElement, portalConfigSchema } from '#contract/portal-config.ts';

let read: PortalConfig | undefined;

/** What this installation is like; the server wrote it into the page. Throws when it did not: nothing can work then. */
export function portalConfig(): PortalConfig {
  if (read === undefined) {
    const text = document.getElementById(portalConfigElement)?.textContent;
    if (text === undefined || text === null) throw new Error('The page came without its configuration');
    read = portalConfigSchema.parse(JSON.parse(text));
  }
  return read;
}

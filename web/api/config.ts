import { viewPrefix } from '#shared/contract/operator/view.ts';
import { type PortalConfig, portalConfigElement, portalConfigSchema } from '#shared/contract/portal-config.ts';
import { isView } from '#web/session/view.ts';

let read: PortalConfig | undefined;

/** For pages that are rendered on the server, which has the configuration itself. */
export function givePortalConfig(config: PortalConfig): void {
  read = config;
}

/**
 * The configuration of this installation, which the server wrote into the page. Throws when it is missing: nothing can
 * work then.
 */
export function portalConfig(): PortalConfig {
  if (read === undefined) {
    const text = document.getElementById(portalConfigElement)?.textContent;
    if (text === undefined || text === null) throw new Error('The page came without its configuration');
    const config = portalConfigSchema.parse(JSON.parse(text));
    read = isView ? { ...config, backendUrl: config.backendUrl + viewPrefix } : config;
  }
  return read;
}

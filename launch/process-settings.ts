import { gatewaySettings, readGatewayConfig } from '#gateway/config.ts';
import { productsSettings, readProductsSettings } from '#products/config.ts';
import { portalSettings, readPortalSettings } from '#server/config.ts';

/** The settings of the processes that the launcher starts, so that it can name, check and list them all. */
export const processSettings = { portal: portalSettings, gateway: gatewaySettings, products: productsSettings };

/** Each process's own check of its environment; throws ConfigFaults. */
export const processChecks: ((env: Record<string, string>) => unknown)[] = [
  (env) => readPortalSettings({ env }),
  (env) => readGatewayConfig({ env }),
  (env) => readProductsSettings({ env }),
];

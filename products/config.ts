import { z } from 'zod';
import { projectFolder } from '#platform/project-folder.ts';
import { type ConfigSource, readConfig } from '#platform/read-config.ts';
import { port, text, webAddress } from '#platform/settings.ts';

/** Every setting of the process that serves the two products. */
export const productsSettings = z.object({
  taxLookupPort: port(4201, 'Port of the GST Tax Lookup API'),
  invoicingPort: port(4202, 'Port of the GST Invoicing API'),
  productsHost: text('Address both products listen on').default('127.0.0.1'),
  gatewayUrl: webAddress('Address under which API callers reach the gateway').default('http://localhost:4100'),
  ratesDir: text('Folder of the curated rates').default(projectFolder('products', 'tax-lookup', 'rates')),
  logLevel: text('Least level that is logged').default('info'),
});

export type ProductsSettings = z.output<typeof productsSettings>;

/** Reads and checks the settings; throws ConfigFaults with every fault at once. */
export function readProductsSettings(source: ConfigSource): ProductsSettings {
  return readConfig(productsSettings, source, (settings) =>
    settings.taxLookupPort !== undefined && settings.taxLookupPort === settings.invoicingPort
      ? ['TAX_LOOKUP_PORT and INVOICING_PORT must differ.']
      : [],
  );
}

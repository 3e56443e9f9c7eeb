import { z } from 'zod';
import { pdfSettings } from '#shared/paper/config.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { notTheStandins, onlyHttps, productionFaults, type ProductionRule } from '#shared/platform/production-rules.ts';
import { type ConfigSource, readConfig } from '#shared/platform/read-config.ts';
import type { GspSettings } from '#products/gsp/gsp.ts';
import {
  logLevel,
  metricsHost,
  metricsPort,
  nodeEnv,
  port,
  secret,
  text,
  webAddress,
  wholeNumber,
} from '#shared/platform/settings.ts';
import { tracingSettings } from '#shared/platform/tracing-settings.ts';

/** The settings of the process that serves the two products. */
export const productsSettings = z.object({
  taxLookupPort: port(4201, 'Port of the GST Tax Lookup API'),
  invoicingPort: port(4202, 'Port of the GST Invoicing API'),
  productsHost: text('Address on which both products listen').default('127.0.0.1'),
  gatewayUrl: webAddress('Address at which API callers reach the gateway').default('http://localhost:4100'),
  dataDir: text('Folder for everything that must be kept: the database, journals, logs').default('./data'),
  databaseUrl: secret(
    'PostgreSQL in which the products store document numbers and responses for retries; without it both are off',
  ).optional(),
  ratesDir: text('Folder of the curated rates').default(projectFolder('products', 'tax-lookup', 'rates')),
  gspUrl: webAddress(
    'Address of your GST Suvidha Provider; without it live taxpayer search and e-invoice registration are off',
  ).optional(),
  gspClientId: text('Client id of your account at the GST Suvidha Provider').optional(),
  gspClientSecret: secret('Client secret of your account at the GST Suvidha Provider').optional(),
  gspTimeoutMs: wholeNumber(8000, 100, 25_000, 'Timeout (ms) for responses of government systems'),
  ...pdfSettings,
  ...tracingSettings,
  productsMetricsPort: metricsPort('the products'),
  metricsHost,
  nodeEnv,
  logLevel,
});

export type ProductsSettings = z.output<typeof productsSettings>;

/** What production refuses for the products. */
export const productsProductionRules: readonly ProductionRule<typeof productsSettings>[] = [
  { setting: 'gatewayUrl', ...onlyHttps },
  { setting: 'gspUrl', ...onlyHttps },
  { setting: 'gspClientId', ...notTheStandins },
  { setting: 'gspClientSecret', ...notTheStandins },
];

/** Reads and checks the settings; throws ConfigFaults with all errors at once. */
export function readProductsSettings(source: ConfigSource): ProductsSettings {
  return readConfig(productsSettings, source, (config) => {
    const { taxLookupPort, invoicingPort, gspUrl, gspClientId, gspClientSecret } = config;
    return [
      ...productionFaults(productsSettings, productsProductionRules, config),
      ...(taxLookupPort !== undefined && taxLookupPort === invoicingPort
        ? ['TAX_LOOKUP_PORT and INVOICING_PORT must differ.']
        : []),
      ...(gspUrl !== undefined && (gspClientId === undefined || gspClientSecret === undefined)
        ? ['GSP_URL needs GSP_CLIENT_ID and GSP_CLIENT_SECRET.']
        : []),
    ];
  });
}

/** The account at a GSP, if configured. */
export function gspOf({
  gspUrl,
  gspClientId,
  gspClientSecret,
  gspTimeoutMs,
}: ProductsSettings): GspSettings | undefined {
  if (gspUrl === undefined || gspClientId === undefined || gspClientSecret === undefined) return undefined;
  return { url: gspUrl, clientId: gspClientId, clientSecret: gspClientSecret, timeoutMs: gspTimeoutMs };
}

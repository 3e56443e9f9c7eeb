import type { z } from 'zod';
import { gatewaySettings, readGatewayConfig } from '#gateway/config.ts';
import { productsSettings, readProductsSettings } from '#products/config.ts';
import { portalSettings, readPortalSettings } from '#server/config.ts';

/** A port that a part listens on. */
interface PartPort {
  setting: 'portalPort' | 'gatewayPort' | 'taxLookupPort' | 'invoicingPort';
  what: string;
  /** Responds with 200 when the part is ready. */
  healthPath: string;
}

/** A process of the product, and what it needs. */
export interface Part {
  what: string;
  settings: z.ZodObject;
  /** Its own check of its environment; throws ConfigFaults. */
  check: (env: Record<string, string>) => unknown;
  ports: readonly PartPort[];
  needs: string;
  /** What must outlive the process. */
  keeps: string;
}

/**
 * Every process that serves customers: what `octroi portal` and the like start, what the launcher starts together, and what the packages in
 * ship/deploy/ give to each.
 */
export const parts = {
  products: {
    what: 'the two APIs of this installation, tax lookup and invoicing',
    settings: productsSettings,
    check: (env) => readProductsSettings({ env }),
    ports: [
      { setting: 'taxLookupPort', what: 'the tax look-up product', healthPath: '/health' },
      { setting: 'invoicingPort', what: 'the invoicing product', healthPath: '/health' },
    ],
    needs: 'PostgreSQL; outwards your GST Suvidha Provider, if you have one',
    keeps: 'the official list of codes in DATA_DIR, once it is imported',
  },
  gateway: {
    what: "customers' calls",
    settings: gatewaySettings,
    check: (env) => readGatewayConfig({ env }),
    ports: [{ setting: 'gatewayPort', what: 'the gateway', healthPath: '/health' }],
    needs: 'PostgreSQL; your APIs',
    keeps: 'its journal in JOURNAL_DIR, a folder of its own for each gateway',
  },
  portal: {
    what: 'the pages, payments, documents and mails',
    settings: portalSettings,
    check: (env) => readPortalSettings({ env }),
    ports: [{ setting: 'portalPort', what: 'the portal', healthPath: '/backend/health' }],
    needs: 'PostgreSQL; outwards Google, Razorpay and your mail server',
    keeps: 'nothing: everything is in PostgreSQL',
  },
} satisfies Record<string, Part>;
export type PartName = keyof typeof parts;

/** In the order in which they start: the gateway needs the products, and pages link to the gateway. */
export const partList: readonly (Part & { name: PartName })[] = [
  { name: 'products', ...parts.products },
  { name: 'gateway', ...parts.gateway },
  { name: 'portal', ...parts.portal },
];

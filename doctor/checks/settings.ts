import type { Catalog, Product } from '#catalog/catalog.ts';
import { readUpstreams } from '#gateway/config.ts';
import { partList } from '#ship/launch/parts.ts';
import { allSettings } from '#ship/launch/settings.ts';
import { envName, readSoundSettings } from '#shared/platform/read-config.ts';
import { isInProgramFolder } from '#shared/platform/release-folder.ts';
import { legalPages } from '#shared/contract/public-pages.ts';
import { BrandFaults, readBrand } from '#server/brand/brand.ts';
import { type Check, fault, fine, inRelease, unchecked, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';

export const settings: Check = {
  name: 'settings',
  about: 'settings that are missing, malformed, or refused in production',
  examine: ({ settingsFaults, isProduction }) => {
    if (settingsFaults.length === 0)
      return [fine(`All settings are valid${isProduction ? ' for production' : ' for a trial'}.`)];
    return settingsFaults.map((each) =>
      fault(
        each,
        'The processes do not start with it.',
        'Correct it in .env or the environment; .env.example explains each setting.',
      ),
    );
  },
};

/** Values that were copied from an example and never filled in. */
const placeholder = /change[-_ ]?me|your[-_ ]|\bTODO\b|x{4,}|^<.*>$|^(?:secret|password|example)$/i;

/** A value with the quotes around it that a .env file needs: kubectl and docker --env-file keep them. */
const quoted = /^\s*(["'`]).*\1\s*$/s;

export const placeholders: Check = {
  name: 'placeholders',
  about: 'settings that still have the text of an example, or the quotes of a file',
  examine: ({ given }) => {
    const names = [...allSettings().keys()].map(envName);
    const found = [
      ...names
        .filter((name) => placeholder.test(given[name] ?? ''))
        .map((name) =>
          fault(
            `${name} looks like a placeholder.`,
            'What depends on it does not work.',
            `Set ${name} to your own value.`,
          ),
        ),
      ...names
        .filter((name) => quoted.test(given[name] ?? ''))
        .map((name) =>
          fault(
            `The value of ${name} begins and ends with quotes.`,
            'They are part of it, and appear wherever it is used.',
            `Write ${name} without them: kubectl and docker --env-file keep quotes, which .env, systemd and compose take away.`,
          ),
        ),
    ];
    return found.length === 0 ? [fine('No setting is a placeholder.')] : found;
  },
};

/** The API for sale that our own invoicing API answers, which renders PDFs while the caller waits: the one at its port. */
function invoicingProducts(catalog: Catalog, env: Installation['env']): Product[] {
  const part = partList.find(({ name }) => name === 'products');
  const read: Readonly<Record<string, unknown>> = part === undefined ? {} : readSoundSettings(part.settings, { env });
  return [...readUpstreams(catalog, { env })].flatMap(
    ([id, url]) => (Number(new URL(url).port) === read['invoicingPort'] && catalog.find(id)) || [],
  );
}

export const timeouts: Check = {
  name: 'timeouts',
  about: 'may a PDF take longer than the gateway waits for it?',
  examine: ({ catalog, env, portal: { pdfTimeoutMs = 0, pdfQueueTimeoutMs = 0 }, gateway: { upstreamTimeoutMs } }) => {
    if (catalog === undefined) return [unchecked('There is no catalogue to read.')];
    const products = invoicingProducts(catalog, env);
    if (products.length === 0)
      return [unchecked('No API for sale is at the port of the invoicing API (INVOICING_PORT).')];
    const longestMs = pdfTimeoutMs + pdfQueueTimeoutMs;
    const waits = new Map<string, number>();
    for (const { id, gateway } of products) {
      const setting = gateway.timeoutMs === undefined ? 'UPSTREAM_TIMEOUT_MS' : `gateway.timeoutMs of ${id}`;
      waits.set(setting, gateway.timeoutMs ?? upstreamTimeoutMs ?? Infinity);
    }
    const short = [...waits].filter(([, waitsMs]) => longestMs >= waitsMs);
    if (short.length === 0) return [fine('The gateway waits longer than a PDF may take.')];
    return short.map(([setting, waitsMs]) =>
      warning(
        `A PDF may wait and render for ${longestMs} ms (PDF_QUEUE_TIMEOUT_MS and PDF_TIMEOUT_MS), and the gateway gives up after ${setting}, ${waitsMs} ms.`,
        'On a busy machine callers of the invoicing API get 504 for documents that are finished a little later.',
        `Set ${setting} above the sum of the two.`,
      ),
    );
  },
};

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

export const mode: Check = {
  name: 'mode',
  about: 'NODE_ENV: does an installation that others can reach run in production?',
  examine: ({ isProduction, portal }) => {
    if (isProduction) return [fine('NODE_ENV is production.')];
    const host = new URL(portal.portalUrl ?? 'http://localhost').hostname;
    if (localHosts.has(host)) return [fine('A trial on this machine.')];
    return [
      fault(
        `PORTAL_URL is ${portal.portalUrl ?? ''}, and NODE_ENV is not production.`,
        'Sample values, published secrets and stand-ins for Google and Razorpay are accepted.',
        'Set NODE_ENV=production.',
      ),
    ];
  },
};

export const unknownSettings: Check = {
  name: 'unknown-settings',
  about: 'names in the settings file that nothing reads, such as misspelt ones',
  examine: ({ fileSettings, catalog }) => {
    const known = new Set([...allSettings().keys()].map(envName));
    // Secrets that the catalogue names.
    const named = JSON.stringify(catalog?.products.map(({ gateway }) => gateway) ?? []);
    const unknown = fileSettings.filter(
      (name) => !known.has(name) && !/^(?:UPSTREAM|SANDBOX)_/.test(name) && !named.includes(JSON.stringify(name)),
    );
    if (unknown.length === 0) return [fine('Every name is that of a setting.')];
    return unknown.map((name) =>
      warning(
        `Nothing reads ${name}.`,
        'It may be misspelt; then its setting has its default.',
        `Correct or delete it; .env.example has every name.`,
      ),
    );
  },
};

export const brand: Check = {
  name: 'brand',
  about: 'your brand folder',
  examine: ({ portal: { brandDir, publicPages }, isProduction }) => {
    if (brandDir === undefined) return [unchecked('BRAND_DIR is not set: the look is as shipped.')];
    try {
      const { texts } = readBrand(brandDir);
      if (isProduction && isInProgramFolder(brandDir)) return [inRelease('BRAND_DIR', brandDir)];
      const unlinked = publicPages ? [] : legalPages.filter((name) => texts[name] !== undefined);
      if (unlinked.length > 0)
        return [
          warning(
            `PUBLIC_PAGES is no, and ${unlinked.map((name) => `links.${name}`).join(', ')} of brand.yaml ${unlinked.length === 1 ? 'is a file' : 'are files'}.`,
            'There is no such page and no link to it, at sign-in and in mails; Razorpay and Google ask for these links.',
            'Give addresses in their place (docs/operating/brand.md), or turn the public pages on.',
          ),
        ];
      return [fine(`${brandDir} has no faults.`)];
    } catch (error) {
      if (!(error instanceof BrandFaults)) throw error;
      return error.faults.map((each) =>
        fault(
          each,
          'The portal does not start with it.',
          'Correct the file; docs/operating/brand.md lists every field.',
        ),
      );
    }
  },
};

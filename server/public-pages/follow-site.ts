import { dayOf } from '#shared/domain/day.ts';
import type { Portal } from '#server/portal.ts';
import type { LiveStatus } from './live-status.ts';
import { DocumentReader } from './documents.ts';
import type { MakesPages } from './makes-pages.ts';
import { type PublicProducts, readSource, type Site, type SiteSource } from './site-source.ts';

/** How old the documents of the APIs may be before they are read again, beside the pages. */
const documentsMs = 60_000;
/** The same while one is missing: at first, then twice as long each time. */
const missingMs = 5000;

/** The public pages of now: of the catalogue in effect, today's tax rate, and the documents of the gateway. */
export function followSite(
  portal: Portal,
  products: PublicProducts,
  { maker, frame }: { maker: Pick<MakesPages, 'open'>; frame: SiteSource['frame'] },
  status: LiveStatus,
): () => Promise<Site> {
  const reader = new DocumentReader(portal);
  let site: Site | undefined;
  let readAt = 0;
  let waitMs = missingMs;
  let reading: Promise<Site> | undefined;
  let isOpen = false;

  const isCurrent = (): boolean => site?.catalog === portal.catalog && site.day === dayOf(portal.clock());
  const readOnce = async (): Promise<Site> => {
    readAt = portal.machineClock();
    // One that a new catalogue names may be there soon.
    waitMs = isCurrent() ? Math.min(2 * waitMs, documentsMs) : missingMs;
    const { documents, changed } = await reader.read(portal.catalog);
    if (site !== undefined && isOpen && !changed && isCurrent()) return site;
    isOpen = false;
    // A later one may be in effect once the pages of this one are known.
    const { catalog } = portal;
    const day = dayOf(portal.clock());
    const source = readSource(portal, products, documents, { frame, status: status.now() });
    site = { catalog, day, pages: new Set(await maker.open(source)) };
    isOpen = true;
    return site;
  };
  const read = (): Promise<Site> => (reading ??= readOnce().finally(() => (reading = undefined)));

  return async () => {
    if (site === undefined || !isCurrent()) return read();
    // Nobody waits for documents that are only a little old.
    const isOld = portal.machineClock() - readAt > (reader.isComplete(site.catalog) ? documentsMs : waitMs);
    if (isOld) void read().catch(() => undefined);
    return site;
  };
}

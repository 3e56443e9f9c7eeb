import type { Catalog } from '#catalog/catalog.ts';
import { readBytes } from '#shared/platform/read-response.ts';
import type { Portal } from '#server/portal.ts';

/** The OpenAPI documents of the products, as the gateway gives them to everybody. */
export type Documents = ReadonlyMap<string, Uint8Array>;

interface Known {
  etag: string | null;
  document: Buffer;
}

const timeoutMs = 5000;
const maxBytes = 64 * 1024 * 1024;

/** Reads them, those that changed since `known`; one that can't be had now stays as it was. */
export class DocumentReader {
  private readonly known = new Map<string, Known>();
  /** Products whose document couldn't be read the last time. */
  private readonly unread = new Set<string>();
  private readonly portal: Pick<Portal, 'settings' | 'log'>;

  constructor(portal: Pick<Portal, 'settings' | 'log'>) {
    this.portal = portal;
  }

  /** `changed`: since the last time. */
  async read({ products }: Catalog): Promise<{ documents: Documents; changed: boolean }> {
    const changes = await Promise.all(products.map(({ id, gatewayPath }) => this.readOne(id, gatewayPath)));
    const sold = products.flatMap(({ id }) => {
      const found = this.known.get(id);
      return found === undefined ? [] : [[id, found.document] as const];
    });
    return { documents: new Map(sold), changed: changes.includes(true) };
  }

  /** Was there a document of every product? */
  isComplete({ products }: Catalog): boolean {
    return products.every(({ id }) => this.known.has(id));
  }

  private async readOne(id: string, gatewayPath: string): Promise<boolean> {
    const before = this.known.get(id);
    const { log } = this.portal;
    const url = `${this.portal.settings.gatewayUrl}/${gatewayPath}/openapi.json`;
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(timeoutMs),
        headers: before?.etag ? { 'if-none-match': before.etag } : {},
      });
      const isSame = response.status === 304;
      if (!isSame && !response.ok) throw new Error(`The gateway responded ${response.status}`);
      const etag = response.headers.get('etag');
      const document = isSame ? undefined : await readBytes(response, maxBytes);
      if (this.unread.delete(id)) log.info({ url }, 'the public reference can be read again');
      if (document === undefined) return false;
      if (before !== undefined && etag !== null && etag === before.etag) return false;
      this.known.set(id, { etag, document });
      return true;
    } catch (error) {
      // Told when it begins: it is tried again for as long as somebody visits.
      if (!this.unread.has(id))
        log.warn({ url, err: error }, 'the public reference could not be read: its pages stay as they were');
      this.unread.add(id);
      return false;
    }
  }
}

/** Keeps what was made last, up to a number of bytes: a reference may have thousands of pages. */
export class PageCache<Page extends { bytes: number }> {
  private readonly pages = new Map<string, Page>();
  private readonly maxBytes: number;
  private bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get(key: string): Page | undefined {
    const page = this.pages.get(key);
    if (page === undefined) return undefined;
    // The last one asked for is the last one to go.
    this.pages.delete(key);
    this.pages.set(key, page);
    return page;
  }

  /** Keeps one that is not known. */
  add(key: string, page: Page): Page {
    this.bytes += page.bytes;
    this.pages.set(key, page);
    for (const [oldest, { bytes }] of this.pages) {
      if (this.bytes <= this.maxBytes || oldest === key) break;
      this.pages.delete(oldest);
      this.bytes -= bytes;
    }
    return page;
  }
}

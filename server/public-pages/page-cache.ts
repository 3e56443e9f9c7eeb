/** Keeps what was made last, up to a number of bytes: a reference may have thousands of pages. */
export class PageCache<Page extends { bytes: number }> {
  private readonly pages = new Map<string, Page>();
  private readonly making = new Map<string, Promise<Page>>();
  private readonly maxBytes: number;
  private bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** What is known, or made now: those who ask while it is made wait for the same one. */
  async getOrMake(key: string, make: () => Page | Promise<Page>): Promise<Page> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const making =
      this.making.get(key) ??
      Promise.resolve(make())
        .then((page) => this.add(key, page))
        .finally(() => this.making.delete(key));
    this.making.set(key, making);
    return making;
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
  private add(key: string, page: Page): Page {
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

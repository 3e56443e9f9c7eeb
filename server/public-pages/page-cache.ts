/** Keeps what was made last, up to a number of bytes: a reference may have thousands of pages. */
export class PageCache<Page extends { bytes: number }> {
  private readonly pages = new Map<string, Page>();
  private readonly maxBytes: number;
  private bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get(key: string, make: () => Page): Page {
    const known = this.pages.get(key);
    const page = known ?? make();
    // The last one asked for is the last one to go.
    if (known !== undefined) this.pages.delete(key);
    else this.bytes += page.bytes;
    this.pages.set(key, page);
    for (const [oldest, { bytes }] of this.pages) {
      if (this.bytes <= this.maxBytes || oldest === key) break;
      this.pages.delete(oldest);
      this.bytes -= bytes;
    }
    return page;
  }

  clear(): void {
    this.pages.clear();
    this.bytes = 0;
  }
}

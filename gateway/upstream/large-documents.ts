import type { Product } from '#catalog/catalog.ts';

/** What this many bytes take to read delays no call noticeably; a document of 32 MB takes seconds, in a process of its own. */
export const maxBytesHere = 512 * 1024;

/** A product with what its OpenAPI document is, if that is a file. */
export const withContent = (product: Product, contentOf: (file: string) => Buffer): Product =>
  'file' in product.openapi
    ? { ...product, openapi: { ...product.openapi, content: contentOf(product.openapi.file) } }
    : product;

export const withoutContent = (product: Product): Product => withContent(product, () => Buffer.alloc(0));

import type { Fixed } from './fixed-column.ts';

/** The catalogue, version by version. */
export interface CatalogTables {
  catalog_files: { sha256: Fixed<Buffer>; content: Fixed<Buffer> };
  catalog_versions: {
    version: Fixed<number>;
    sha256: Fixed<Buffer>;
    created_at: Fixed<Date>;
    author: Fixed<string>;
    reason: Fixed<string>;
    active_from: Date | null;
  };
  catalog_version_files: { version: Fixed<number>; path: Fixed<string>; sha256: Fixed<Buffer> };
}

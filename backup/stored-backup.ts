export interface StoredBackup {
  name: string;
  bytes: number;
  at: Date;
}

/** Where backups are kept: a folder, or an S3-compatible store. */
export interface BackupPlace {
  /** Throws unless it is there, or can be made: before the long work whose result goes there. */
  check: () => Promise<void>;
  /** Throws unless a file can be written there; a store keeps the small one that tells. */
  probe: () => Promise<void>;
  /** The path or address of one. */
  describe: (name: string) => string;
  /** The bytes of one; undefined if there is none. */
  sizeOf: (name: string) => Promise<number | undefined>;
  list: () => Promise<StoredBackup[]>;
  /** Moves a finished file there. Throws if there is one of this name: nothing is ever overwritten. */
  put: (name: string, path: string) => Promise<void>;
  get: (name: string, path: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
}

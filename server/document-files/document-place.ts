/** A folder or a store. A file is named after the hash of its content, is never written twice and never deleted. */
export interface DocumentPlace {
  address: string;
  /** Writes a file that is not there yet, for good. Throws if another one has its name. */
  put: (hash: string, pdf: Buffer) => Promise<void>;
  /** Undefined if there is no such file; throws if nobody can tell. */
  get: (hash: string) => Promise<Buffer | undefined>;
  /** Throws if it is away. */
  reach: () => Promise<void>;
  /** Throws if nothing can be written there. */
  probe: () => Promise<void>;
}

/** In folders of at most a 256th, so that none becomes too long to list. */
export const nameOf = (hash: string): string => `${hash.slice(0, 2)}/${hash}.pdf`;

/** Another file has the name: it was altered, or cut off. It stays as it is, to be looked at. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';

  constructor(address: string, hash: string) {
    super(`${address}/${nameOf(hash)} exists already, with other content`);
  }
}

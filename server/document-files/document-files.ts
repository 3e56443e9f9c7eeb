import type { Log } from '#shared/platform/log.ts';
import { isAddress, s3AccountOf } from '#shared/platform/s3-bucket.ts';
import { sha256 } from '#server/crypto/ids.ts';
import type { DocumentPlace } from './document-place.ts';
import { folderPlace } from './folder-place.ts';
import { type DocumentPlaceSettings, inDatabase } from './settings.ts';
import { storePlace } from './store-place.ts';

/** What a row says of its PDF: it has the bytes, or the place where they lie and their number. */
export interface StoredPdf {
  pdf: Buffer | null;
  pdf_sha256: Buffer;
  place: string | null;
  bytes: number | null;
}

export const storedPdfColumns = ['pdf', 'pdf_sha256', 'place', 'bytes'] as const;

/** Whether the version of a document that counts has its PDF: what could not be printed of the first one may be what was amended. */
export const isPrinted = (row: { file: string | null; amended: string | null; amended_file: string | null }): boolean =>
  (row.amended === null ? row.file : row.amended_file) !== null;

/** Why a PDF can't be read. `unreachable`: nobody knows whether it is there. */
type FaultKind = 'missing' | 'altered' | 'unreachable';

export class DocumentFileFault extends Error {
  override readonly name = 'DocumentFileFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The PDFs of documents, wherever they lie. */
export interface DocumentFiles {
  /** Where new ones go: `database`, a folder or an address. */
  place: string;
  /** Puts a new PDF into its place and returns what its row says; call it before the row is written. */
  store: (pdf: Buffer) => Promise<StoredPdf>;
  /** The PDF of a row, with the hash that the row has. Throws a DocumentFileFault. */
  read: (stored: StoredPdf) => Promise<Buffer>;
  /** The place of that address. */
  open: (address: string) => DocumentPlace;
  /** How often a new PDF could not be written to its place. */
  failedWrites: () => number;
  /** The PDFs that this process could not read, and has not read since; by their hash. */
  unreadable: () => ReadonlyMap<string, StoredPdf>;
}

/** More would add no information. */
const maxUnreadable = 100;

/**
 * `onlyStores`: PDFs of folders are looked for in the present place alone, and not in the folder that their row names; for a restored copy, which
 * must not lean on the original.
 */
export function openDocumentFiles(
  settings: DocumentPlaceSettings,
  log: Pick<Log, 'error' | 'warn'>,
  { onlyStores = false } = {},
): DocumentFiles {
  const { documentsPlace, documentsS3KeyId: keyId, documentsS3Secret: secret, documentsS3Region: region } = settings;
  const opened = new Map<string, DocumentPlace>();
  const open = (address: string): DocumentPlace => {
    const known = opened.get(address);
    if (known !== undefined) return known;
    const place = isAddress(address)
      ? storePlace(s3AccountOf(address, { keyId, secret, region }, 'DOCUMENTS'))
      : folderPlace(address);
    opened.set(address, place);
    return place;
  };
  const unreadable = new Map<string, StoredPdf>();
  let failedWrites = 0;

  /** First where the row says, then in the present place: the folder may have another path now. */
  const placesOf = (recorded: string): string[] => {
    const present = documentsPlace === inDatabase || documentsPlace === recorded ? [] : [documentsPlace];
    return onlyStores && !isAddress(recorded) && documentsPlace !== recorded ? present : [recorded, ...present];
  };

  const readOutside = async (stored: StoredPdf, recorded: string): Promise<Buffer> => {
    const hash = stored.pdf_sha256.toString('hex');
    let worst = new DocumentFileFault('missing', `the PDF ${hash} is missing from ${placesOf(recorded).join(', ')}`);
    for (const address of placesOf(recorded)) {
      try {
        const pdf = await open(address).get(hash);
        if (pdf !== undefined && sha256(pdf).equals(stored.pdf_sha256)) return pdf;
        if (pdf !== undefined) worst = new DocumentFileFault('altered', `the PDF ${hash} in ${address} was altered`);
      } catch (cause) {
        if (worst.kind === 'missing')
          worst = new DocumentFileFault('unreachable', `the PDF ${hash} can't be read from ${address}`, { cause });
      }
    }
    throw worst;
  };

  return {
    place: documentsPlace,
    open,
    failedWrites: () => failedWrites,
    unreadable: () => unreadable,
    read: async (stored) => {
      const hash = stored.pdf_sha256.toString('hex');
      try {
        const { pdf, place } = stored;
        if (pdf !== null && !sha256(pdf).equals(stored.pdf_sha256))
          throw new DocumentFileFault('altered', `the PDF ${hash} in the database was altered`);
        const found = pdf ?? (await readOutside(stored, place ?? ''));
        unreadable.delete(hash);
        return found;
      } catch (error) {
        // The ledger's check notices what is wrong in a row.
        if (stored.place !== null && unreadable.size < maxUnreadable) unreadable.set(hash, stored);
        throw error;
      }
    },
    store: async (pdf) => {
      const hash = sha256(pdf);
      const row: StoredPdf = { pdf, pdf_sha256: hash, place: null, bytes: null };
      if (documentsPlace === inDatabase) return row;
      try {
        await open(documentsPlace).put(hash.toString('hex'), pdf);
        return { ...row, pdf: null, place: documentsPlace, bytes: pdf.length };
      } catch (error) {
        failedWrites += 1;
        log.error(
          { err: error, place: documentsPlace },
          'a new PDF could not be written to DOCUMENTS_PLACE and is stored in the database: octroi documents move moves it later',
        );
        return row;
      }
    },
  };
}

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { readDocumentPlaceSettings } from './settings.ts';

const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };

/** The settings of a place. */
export const settingsFor = (place: string) =>
  readDocumentPlaceSettings({ env: { DOCUMENTS_PLACE: place, ...accountEnv } });

export const accountEnv = {
  DOCUMENTS_S3_KEY_ID: account.keyId,
  DOCUMENTS_S3_SECRET: account.secret,
  DOCUMENTS_S3_REGION: account.region,
};

/** A place outside the database, and its files as seen from outside. */
export interface TestPlace {
  address: string;
  read: (name: string) => Buffer;
  write: (name: string, content: Buffer) => void;
  remove: (name: string) => void;
}

/** Folders and a store for PDFs. Close them in afterAll. */
export async function startPlaces() {
  const root = mkdtempSync(join(tmpdir(), 'octroi-documents-'));
  const store = await startS3({ ...account, bucket: 'documents' });
  let folders = 0;
  const newFolder = (): string => {
    folders += 1;
    const path = join(root, `place-${folders}`);
    mkdirSync(path);
    return path;
  };
  const open: Record<'folder' | 'store', () => TestPlace> = {
    folder: () => {
      const path = newFolder();
      return {
        address: path,
        read: (name) => readFileSync(join(path, name)),
        write: (name, content) => writeFileSync(join(path, name), content),
        remove: (name) => rmSync(join(path, name)),
      };
    },
    store: () => ({
      address: `${store.url}/live`,
      read: (name) => store.objects.get(`live/${name}`)?.body ?? Buffer.alloc(0),
      write: (name, body) => void store.objects.set(`live/${name}`, { body, at: new Date() }),
      remove: (name) => void store.objects.delete(`live/${name}`),
    }),
  };
  return {
    root,
    store,
    newFolder,
    open,
    close: async () => {
      await store.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

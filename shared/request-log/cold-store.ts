import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readBytes } from '#shared/platform/read-response.ts';
import { isAddress, openBucket, s3AccountOf, StoreFault } from '#shared/platform/s3-bucket.ts';
import { isMissing, putFile, unfinishedEnd } from '#shared/platform/synced-files.ts';
import { LogAway } from './log.ts';
import type { ColdSettings } from './settings.ts';

/** A folder or a store for days of the log. What can't be read or written there throws LogAway. */
export interface ColdStore {
  /** In place of a file that has its name; returns when it can be read. */
  put: (name: string, content: Buffer) => Promise<void>;
  get: (name: string) => Promise<Buffer | undefined>;
  /** The names that begin so, in order; `begin` ends with a slash or with a whole name. */
  list: (begin: string) => Promise<string[]>;
  remove: (name: string) => Promise<void>;
}

/** Somebody waits for it. */
const timeoutMs = 10_000;
/** A store that didn't answer is not asked again for this long, so that pages don't wait for it one after the other. */
const restMs = 5000;
/** Far more than a part of a day has. */
const maxBytes = 64 * 1024 * 1024;

export function openColdStore(settings: ColdSettings & { requestLogColdPlace: string }): ColdStore {
  const { requestLogColdPlace: place, requestLogColdS3KeyId: keyId, requestLogColdS3Secret: secret } = settings;
  const account = { keyId, secret, region: settings.requestLogColdS3Region };
  return sayingAway(isAddress(place) ? inBucket(place, account) : inFolder(place));
}

function inBucket(place: string, settings: Parameters<typeof s3AccountOf>[1]): ColdStore {
  const { addressOf, ask, list } = openBucket(s3AccountOf(place, settings, 'REQUEST_LOG_COLD'));
  const askFor = (method: string, name: string, body?: Buffer): Promise<Response> =>
    ask(method, addressOf(name), body, AbortSignal.timeout(timeoutMs));
  return {
    put: async (name, content) => void (await askFor('PUT', name, content)),
    get: async (name) => {
      try {
        return await readBytes(await askFor('GET', name), maxBytes);
      } catch (error) {
        if (error instanceof StoreFault && error.status === 404 && error.message.includes('NoSuchKey'))
          return undefined;
        throw error;
      }
    },
    list: async (begin) => (await list(begin, timeoutMs)).map(({ name }) => name),
    remove: async (name) => void (await askFor('DELETE', name)),
  };
}

/** The folder must exist: one that is not mounted would look like a log without old days. */
function inFolder(folder: string): ColdStore {
  const orMissing = async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (!isMissing(error)) throw error;
      await stat(folder);
      return undefined;
    }
  };
  const list = async (begin: string): Promise<string[]> => {
    const within = begin.slice(0, begin.lastIndexOf('/') + 1);
    const names = (await orMissing(readdir(join(folder, within)))) ?? [];
    return names
      .map((name) => within + name)
      .filter((name) => name.startsWith(begin))
      .toSorted();
  };
  const removeUnfinished = async (name: string): Promise<void> => {
    for (const other of await list(`${name}.`)) if (other.endsWith(unfinishedEnd)) await rm(join(folder, other));
  };
  return {
    list,
    get: (name) => orMissing(readFile(join(folder, name))),
    put: async (name, content) => {
      await removeUnfinished(name);
      await putFile(folder, name, content);
    },
    remove: async (name) => {
      await removeUnfinished(name);
      await rm(join(folder, name), { force: true });
    },
  };
}

function sayingAway(store: ColdStore): ColdStore {
  let awayUntil = -Infinity;
  const asked = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (performance.now() < awayUntil) throw new LogAway('the store of old days did not answer a moment ago');
    try {
      return await work();
    } catch (cause) {
      awayUntil = performance.now() + restMs;
      throw new LogAway('the store of old days did not answer', { cause });
    }
  };
  return {
    get: (name) => asked(() => store.get(name)),
    list: (begin) => asked(() => store.list(begin)),
    remove: (name) => asked(() => store.remove(name)),
    put: (name, content) =>
      asked(async () => {
        await store.put(name, content);
        // What it replaces in the database goes next.
        if (!(await store.get(name))?.equals(content)) throw new Error(`${name} does not come back as it was written`);
      }),
  };
}

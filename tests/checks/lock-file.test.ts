import { expect, test } from 'vitest';
import { lockFileFaults, type LockFile, withoutUnknown } from './lock-file-rules.ts';

const integrity = `sha512-${'a'.repeat(86)}==`;
const lock: LockFile = {
  packages: {
    '': {},
    'node_modules/fast': {
      version: '1.0.0',
      integrity,
      optionalDependencies: { '@fast/binding-linux-x64-gnu': '1.0.0', '@fast/binding-linux-arm64-musl': '1.0.0' },
    },
    'node_modules/@fast/binding-linux-x64-gnu': { version: '1.0.0', integrity },
    'node_modules/@fast/binding-linux-arm64-musl': { version: '1.0.0', integrity },
  },
};
const changed = (path: string, change: object): LockFile => ({
  packages: { ...lock.packages, [path]: { ...lock.packages[path], ...change } },
});
const arm = 'node_modules/@fast/binding-linux-arm64-musl';

test('reports a platform missing from the lock file', () => {
  expect(lockFileFaults(lock)).toEqual([]);
  const { [arm]: _, ...others } = lock.packages;
  expect(lockFileFaults({ packages: others })).toEqual([
    'package-lock.json has no entry for @fast/binding-linux-arm64-musl; run: npm run lock-file',
  ]);
});

test.each([undefined, '', 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=', 'sha512-'])(
  'reports a package with the integrity %j, which npm would install whatever it holds',
  (weak) => {
    const unsafe = changed(arm, { integrity: weak });
    expect(lockFileFaults(unsafe)).toEqual([
      `package-lock.json has no SHA-512 of ${arm}, so npm installs whatever it gets; run: npm run lock-file`,
    ]);
    expect(Object.keys(withoutUnknown(unsafe).packages)).toEqual(Object.keys(lock.packages).slice(0, -1));
  },
);

test('reports the address of a registry', () => {
  const tied = changed(arm, { resolved: 'https://mirror.example/a.tgz' });
  expect(lockFileFaults(tied)).toEqual([`package-lock.json ties ${arm} to the address of one registry.`]);
});

import { expect, test } from 'vitest';
import { lockFileFaults, type LockFile, withAllPlatforms } from './lock-file-rules.ts';

const lock: LockFile = {
  packages: {
    '': {},
    'node_modules/fast': {
      version: '1.0.0',
      optionalDependencies: {
        '@fast/binding-linux-x64-gnu': '1.0.0',
        '@fast/binding-linux-arm64-musl': '1.0.0',
        '@fast/binding-wasm32-wasi': '1.0.0',
      },
    },
    'node_modules/@fast/binding-linux-x64-gnu': { version: '1.0.0' },
  },
};

test('reports a platform missing from the lock file, and adds it with the platform in its name', () => {
  expect(lockFileFaults(lock)).toHaveLength(2);
  const whole = withAllPlatforms(lock);
  expect(lockFileFaults(whole)).toEqual([]);
  expect(whole.packages['node_modules/@fast/binding-linux-arm64-musl']).toEqual({
    version: '1.0.0',
    optional: true,
    cpu: ['arm64'],
    os: ['linux'],
    libc: ['musl'],
  });
  expect(Object.keys(whole.packages)).toEqual(Object.keys(whole.packages).toSorted());
});

test('a package without a platform in its name is not guessed', () => {
  const odd = { packages: { 'node_modules/fast': { optionalDependencies: { 'fast-extras': '1.0.0' } } } };
  expect(() => withAllPlatforms(odd)).toThrow('fast-extras does not contain its platform');
});

test('reports the address of a registry', () => {
  const tied = { packages: { 'node_modules/a': { version: '1.0.0', resolved: 'https://mirror.example/a.tgz' } } };
  expect(lockFileFaults(tied)).toEqual([`package-lock.json ties node_modules/a to the address of one registry.`]);
});

import { expect, test } from 'vitest';
import { readFlags } from './flags.ts';

const settings = ['dataDir', 'portalPort', 'databaseUrl'];

test('a flag takes the next argument, or the text after its equals sign', () => {
  const flags = readFlags(['--portal-port', '5000', '--database-url=postgres://x?a=b'], settings);
  expect(flags).toEqual({ help: false, env: { PORTAL_PORT: '5000', DATABASE_URL: 'postgres://x?a=b' }, faults: [] });
});

test('--data is short for --data-dir', () => {
  expect(readFlags(['--data', '/srv/octroi'], settings).env).toEqual({ DATA_DIR: '/srv/octroi' });
  expect(readFlags(['--data-dir', '/srv/octroi'], settings).env).toEqual({ DATA_DIR: '/srv/octroi' });
});

test('a flag without a value and an unknown argument are errors, and the rest is read', () => {
  const { env, faults } = readFlags(['--data', '--colour=red', 'hello', '--portal-port', '1'], settings);
  expect(faults).toEqual([
    '--data needs a value after it.',
    '--colour=red is not a setting; --help lists them all.',
    'hello is not a setting; --help lists them all.',
  ]);
  expect(env).toEqual({ PORTAL_PORT: '1' });
});

test('-h asks for help, and a flag that another follows has no value', () => {
  expect(readFlags(['-h'], settings)).toEqual({ help: true, env: {}, faults: [] });
  expect(readFlags(['--data', '--help'], settings)).toEqual({
    help: true,
    env: {},
    faults: ['--data needs a value after it.'],
  });
});
